// Package laws checks the core with random programs. It has tests only.
//
// A program is a small syntax tree with two meanings: one is the effect that it describes, the other a model that evaluates it in
// a few lines without any of the library's machinery. The tests say what holds for all programs, left alone and interrupted at
// each of their steps in turn, and that each law notices a fault.
package laws
