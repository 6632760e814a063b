package formats

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"io"
	"net/url"
	"path/filepath"
	"strings"
)

// This file writes SARIF 2.1.0 (OASIS, Static Analysis Results Interchange Format). Package schematest, a module of its
// own, validates what it writes against the published schema.

type sarifLog struct {
	Schema  string     `json:"$schema"`
	Version string     `json:"version"`
	Runs    []sarifRun `json:"runs"`
}

type sarifRun struct {
	Tool        sarifTool         `json:"tool"`
	Invocations []sarifInvocation `json:"invocations,omitempty"`
	ColumnKind  string            `json:"columnKind"`
	Results     []sarifResult     `json:"results"`
}

type sarifInvocation struct {
	Successful    bool                `json:"executionSuccessful"`
	Notifications []sarifNotification `json:"toolExecutionNotifications"`
}

type sarifNotification struct {
	Level   string    `json:"level"`
	Message sarifText `json:"message"`
}

type sarifTool struct {
	Driver sarifDriver `json:"driver"`
}

type sarifDriver struct {
	Name           string      `json:"name"`
	Version        string      `json:"version,omitempty"`
	InformationURI string      `json:"informationUri"`
	Rules          []sarifRule `json:"rules"`
}

type sarifRule struct {
	ID               string    `json:"id"`
	ShortDescription sarifText `json:"shortDescription"`
}

type sarifText struct {
	Text string `json:"text"`
}

type sarifResult struct {
	RuleID       string            `json:"ruleId"`
	RuleIndex    int               `json:"ruleIndex"`
	Level        string            `json:"level"`
	Message      sarifText         `json:"message"`
	Locations    []sarifLocation   `json:"locations,omitempty"`
	Fingerprints map[string]string `json:"partialFingerprints"`
}

type sarifLocation struct {
	Physical sarifPhysical `json:"physicalLocation"`
}

type sarifPhysical struct {
	Artifact sarifArtifact `json:"artifactLocation"`
	Region   *sarifRegion  `json:"region,omitempty"`
}

type sarifArtifact struct {
	URI string `json:"uri"`
}

type sarifRegion struct {
	StartLine   int `json:"startLine"`
	StartColumn int `json:"startColumn,omitempty"`
}

const (
	sarifSchema = "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json"
	homepage    = "https://github.com/rehearse-go/rehearse"
)

// SARIF writes findings as one run of a tool, such as "rehearse vet". Rules that findings have and rules lacks are
// added without a description of their own. Unseen says what the tool could not look at: with any, its execution counts
// as unsuccessful, since there may be more.
func SARIF(w io.Writer, tool, version string, rules []Rule, fs []Finding, unseen ...string) error {
	run := sarifRun{ColumnKind: "unicodeCodePoints", Results: []sarifResult{},
		Tool: sarifTool{sarifDriver{Name: tool, Version: version, InformationURI: homepage, Rules: []sarifRule{}}}}
	index := map[string]int{}
	add := func(name, doc string) int {
		i, ok := index[name]
		if !ok {
			i = len(run.Tool.Driver.Rules)
			index[name] = i
			run.Tool.Driver.Rules = append(run.Tool.Driver.Rules, sarifRule{name, sarifText{oneLine(doc)}})
		}
		return i
	}
	for _, r := range rules {
		add(r.Name, r.Doc)
	}
	for i := range fs {
		f := &fs[i]
		run.Results = append(run.Results, sarifResult{RuleID: f.Rule, RuleIndex: add(f.Rule, f.Rule), Level: f.Level,
			Message: sarifText{text(f.Message)}, Locations: f.locations(),
			Fingerprints: map[string]string{"rehearse/v1": f.fingerprint()}})
	}
	if len(unseen) > 0 {
		run.Invocations = []sarifInvocation{{}}
	}
	for _, why := range unseen {
		n := &run.Invocations[0].Notifications
		*n = append(*n, sarifNotification{Error, sarifText{text(why)}})
	}
	enc := json.NewEncoder(w)
	enc.SetIndent("", "  ")
	return enc.Encode(sarifLog{sarifSchema, "2.1.0", []sarifRun{run}})
}

// locations is where a finding is. GitHub refuses results without a place, so that the caller should know one.
func (f *Finding) locations() []sarifLocation {
	if f.File == "" {
		return nil
	}
	p := sarifPhysical{Artifact: sarifArtifact{uri(f.File)}}
	if f.Line > 0 {
		p.Region = &sarifRegion{StartLine: f.Line, StartColumn: f.Column}
	}
	return []sarifLocation{{p}}
}

// uri makes a reference of a path. One that is relative stays so: it belongs to the root of the repository.
func uri(path string) string {
	path = filepath.ToSlash(strings.ToValidUTF8(path, "\ufffd"))
	u := url.URL{Path: path}
	if strings.HasPrefix(path, "/") {
		u.Scheme = "file"
	}
	return u.String()
}

// fingerprint stays the same when lines move.
func (f *Finding) fingerprint() string {
	key := f.Key
	if key == "" {
		key = f.Message
	}
	sum := sha256.Sum256([]byte(f.Rule + "\x00" + f.File + "\x00" + key))
	return hex.EncodeToString(sum[:16])
}
