// Package descriptors lets tests run out of them: what a program does when it can open no more files is seen only where it cannot.
package descriptors
