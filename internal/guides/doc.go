// Package guides is the code of the guides in docs/, where tests run it. Another test holds that a guide shows nothing else.
package guides
