package bundle

import (
	"fmt"
	"io/fs"
	"path"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"
)

// This file says which names files may have. A name is a path below the root of a bundle and nothing else, on every
// system where the bundle can be unpacked.

// plain reports whether a text is UTF-8 without control characters.
func plain(s string) bool {
	return utf8.ValidString(s) && !strings.ContainsFunc(s, unicode.IsControl)
}

// checkName refuses a path that leads out of the bundle, or that a file cannot have on the system.
func checkName(name, goos string) error {
	refuse := func(why string) error {
		return fmt.Errorf("file %.200q: %s: rename it, or leave it out", name, why)
	}
	switch {
	case len(name) > maxName:
		return refuse(fmt.Sprintf("a name of more than %d bytes", maxName))
	case !plain(name):
		return refuse("a control character, or no UTF-8, in the name")
	case strings.Contains(name, `\`):
		return refuse(`a \ in the name, which separates folders on some systems`)
	case !fs.ValidPath(name) || name == ".":
		return refuse("want a path below the bundle's root, without . and .. and double slashes")
	}
	for element := range strings.SplitSeq(name, "/") {
		if len(element) > 255 {
			return refuse("a part of more than 255 bytes in the name")
		}
		if goos == "windows" && !windowsName(element) {
			return refuse("Windows has no such name")
		}
	}
	return nil
}

// devices are names that Windows has for devices, in every folder and with every ending.
var devices = []string{"CON", "PRN", "AUX", "NUL", "CONIN$", "CONOUT$", "CLOCK$"}

// windowsName reports whether a part of a path can be that of a file on Windows, and of the same one when it is read.
func windowsName(element string) bool {
	base, _, _ := strings.Cut(element, ".")
	base = strings.ToUpper(strings.TrimRight(base, " "))
	port := strings.TrimPrefix(strings.TrimPrefix(base, "COM"), "LPT")
	if port != base && utf8.RuneCountInString(port) == 1 && strings.ContainsAny(port, "0123456789¹²³") {
		return false
	}
	return !slices.Contains(devices, base) && !strings.ContainsAny(element, `<>:"|?*`) &&
		!strings.HasSuffix(element, ".") && !strings.HasSuffix(element, " ")
}

// tree is the paths of a bundle, as a system sees it that does not tell cases apart.
type tree struct {
	spelled map[string]string // by folded path: files, and the folders that they are in
	file    map[string]bool   // by folded path
}

// add takes a file, unless another file or folder has its name.
func (t *tree) add(name string) error {
	if t.spelled == nil {
		t.spelled, t.file = map[string]string{}, map[string]bool{}
	}
	if at := fold(name); t.spelled[at] != "" {
		return collision(t.spelled[at], name)
	} else {
		t.spelled[at], t.file[at] = name, true
	}
	for dir := path.Dir(name); dir != "."; dir = path.Dir(dir) {
		at := fold(dir)
		if other := t.spelled[at]; other != "" && other != dir || t.file[at] {
			return collision(other, dir)
		}
		t.spelled[at] = dir
	}
	return nil
}

func collision(one, other string) error {
	return fmt.Errorf("%.200q and %.200q are one name where cases are not told apart, or a file and a folder: rename one",
		one, other)
}

// fold gives all spellings of a path that differ in cases alone the same text.
func fold(name string) string {
	return strings.Map(func(r rune) rune {
		least := r
		for other := unicode.SimpleFold(r); other != r; other = unicode.SimpleFold(other) {
			least = min(least, other)
		}
		return least
	}, name)
}
