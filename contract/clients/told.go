package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"net/http"
	"os"
	"regexp"
)

var last map[string]any
var sent any
var url, key = os.Args[1], os.Args[2]

var placeholder = regexp.MustCompile(`"\$(\w+)"`)

func must(err error) {
	if err != nil {
		panic(err)
	}
}

// The body as the client's own type has it. A part of the answer before stands for `$` and its name.
func made[T any](text string) T {
	filled := placeholder.ReplaceAllFunc([]byte(text), func(found []byte) []byte {
		part, err := json.Marshal(last[string(found[2:len(found)-1])])
		must(err)
		return part
	})
	var value T
	reader := json.NewDecoder(bytes.NewReader(filled))
	reader.DisallowUnknownFields()
	must(reader.Decode(&value))
	sent = map[string]any{"given": json.RawMessage(filled), "typed": value}
	return value
}

func told(status int, raw []byte, typed any) {
	last = nil
	must(json.Unmarshal(raw, &last))
	line, err := json.Marshal(map[string]any{"status": status, "raw": last, "typed": typed, "sent": sent})
	must(err)
	fmt.Println(string(line))
	sent = nil
}
