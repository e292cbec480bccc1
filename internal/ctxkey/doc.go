// Package ctxkey holds the context keys that packages of this module share.
package ctxkey
