package main

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"unicode/utf8"
)

// result is what is computed of a file. Problem says why there is nothing else.
type result struct {
	Lines   int    `json:"lines"`
	Bytes   int    `json:"bytes"`
	SHA256  string `json:"sha256,omitempty"`
	Problem string `json:"problem,omitempty"`
}

// list is the files of the folder, by their path in it with forward slashes. That is also the key of a file's lease.
func list(c config) (files []string, err error) {
	err = filepath.WalkDir(c.dir, func(path string, entry fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if entry.IsDir() {
			if path != c.dir && strings.HasPrefix(entry.Name(), ".") {
				return fs.SkipDir
			}
			return nil
		}
		wanted := entry.Type().IsRegular() && (!c.own || filepath.Ext(path) == ".go")
		name, err := filepath.Rel(c.dir, path)
		if err != nil || !wanted || !utf8.ValidString(name) { // a key is text
			return err
		}
		files = append(files, filepath.ToSlash(name))
		return nil
	})
	return files, err
}

// compute is the work. halfway is called in the middle of it.
func compute(ctx context.Context, dir, file string, halfway func() error) (result, error) {
	data, err := os.ReadFile(filepath.Join(dir, filepath.FromSlash(file)))
	if err := halfway(); err != nil {
		return result{}, err
	}
	if err != nil {
		return result{Problem: err.Error()}, ctx.Err()
	}
	sum := sha256.Sum256(data)
	return result{Lines: bytes.Count(data, []byte("\n")), Bytes: len(data), SHA256: hex.EncodeToString(sum[:])}, ctx.Err()
}

// computeAll does all the work again, here and one file after the other: what the workers' results must be.
func computeAll(ctx context.Context, dir string, files []string) (map[string]result, error) {
	all := make(map[string]result, len(files))
	for _, file := range files {
		r, err := compute(ctx, dir, file, func() error { return nil })
		if err != nil {
			return nil, err
		}
		all[file] = r
	}
	return all, nil
}
