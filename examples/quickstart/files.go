package main

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"time"
	"unicode/utf8"
)

// result is what is computed of a file. Problem says why there is nothing else.
type result struct {
	Lines   int    `json:"lines"`
	Bytes   int    `json:"bytes"`
	SHA256  string `json:"sha256,omitempty"`
	Problem string `json:"problem,omitempty"`
}

// list is the files of the folder, by their path in it with forward slashes. That is also the key of a file's lease. What cannot be
// listed is skipped, with the reason.
func list(c config) (files, skipped []string, err error) {
	err = filepath.WalkDir(c.dir, func(path string, entry fs.DirEntry, err error) error {
		switch {
		case path == c.dir:
			return err
		case err != nil:
			skipped = append(skipped, err.Error())
			return nil
		case entry.IsDir() && strings.HasPrefix(entry.Name(), "."):
			return fs.SkipDir
		case !entry.Type().IsRegular() || c.own && filepath.Ext(path) != ".go":
			return nil
		}
		name, err := filepath.Rel(c.dir, path)
		if err != nil {
			return err
		}
		if !utf8.ValidString(name) {
			skipped = append(skipped, fmt.Sprintf("%q: a key is UTF-8 text", name))
			return nil
		}
		files = append(files, filepath.ToSlash(name))
		return nil
	})
	return files, skipped, err
}

// listFile is where the parent tells the workers what there is to do: all go by one list.
const listFile = "files.json"

func writeList(store string, files []string) error {
	text, err := json.Marshal(files)
	if err != nil {
		return err
	}
	return os.WriteFile(filepath.Join(store, listFile), text, 0o600)
}

func readList(store string) (files []string, err error) {
	text, err := os.ReadFile(filepath.Join(store, listFile))
	if err != nil {
		return nil, err
	}
	return files, json.Unmarshal(text, &files)
}

// compute is the work. halfway is called in the middle of it. It heeds its context, however large the file is.
func compute(ctx context.Context, dir, file string, halfway func() error) (result, error) {
	opened, err := os.Open(filepath.Join(dir, filepath.FromSlash(file)))
	if err := halfway(); err != nil {
		return result{}, err
	}
	if err != nil {
		return result{Problem: err.Error()}, nil
	}
	defer opened.Close()
	r, sum, chunk := result{}, sha256.New(), make([]byte, 1<<20)
	for ctx.Err() == nil {
		n, err := opened.Read(chunk)
		_, _ = sum.Write(chunk[:n]) // a hash takes everything
		r.Lines += bytes.Count(chunk[:n], []byte("\n"))
		r.Bytes += n
		switch {
		case err == io.EOF:
			r.SHA256 = hex.EncodeToString(sum.Sum(nil))
			return r, nil
		case err != nil:
			return result{Problem: err.Error()}, nil
		}
	}
	return result{}, context.Cause(ctx)
}

// changedSince tells whether the file is another one than at that time.
func changedSince(dir, file string, t time.Time) bool {
	info, err := os.Stat(filepath.Join(dir, filepath.FromSlash(file)))
	return err != nil || !info.ModTime().Before(t)
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
