// Package measure runs pieces of work beside each other and says how they
// compare.
//
// A time means something only beside another from the same machine and the same
// minute. So a [Comparison] takes its rounds in turn, ours and the others', and
// what it reports is the ratio of each round: its median, and the interval in
// which the median lies.
package measure
