// A hook server as somebody writes it in Go with nothing but the standard library: it denies ConfigMaps that say so, and
// labels the others. Usage: main CERT KEY; prints its port.
package main

import (
	"encoding/json"
	"fmt"
	"net"
	"net/http"
	"os"
)

type object struct {
	Metadata struct {
		Labels map[string]string `json:"labels"`
	} `json:"metadata"`
	Data map[string]string `json:"data"`
}

type request struct {
	UID    string  `json:"uid"`
	Object *object `json:"object"`
}

type status struct {
	Code    int    `json:"code,omitempty"`
	Reason  string `json:"reason,omitempty"`
	Message string `json:"message"`
}

type response struct {
	UID              string            `json:"uid"`
	Allowed          bool              `json:"allowed"`
	Status           *status           `json:"status,omitempty"`
	Patch            []byte            `json:"patch,omitempty"`
	PatchType        string            `json:"patchType,omitempty"`
	Warnings         []string          `json:"warnings,omitempty"`
	AuditAnnotations map[string]string `json:"auditAnnotations,omitempty"`
}

type review struct {
	Kind       string    `json:"kind"`
	APIVersion string    `json:"apiVersion"`
	Request    *request  `json:"request,omitempty"`
	Response   *response `json:"response,omitempty"`
}

func answer(decide func(*request, *response)) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		var asked review
		if err := json.NewDecoder(r.Body).Decode(&asked); err != nil || asked.Request == nil {
			http.Error(w, "no review", http.StatusBadRequest)
			return
		}
		given := &response{UID: asked.Request.UID, Allowed: true}
		decide(asked.Request, given)
		w.Header().Set("Content-Type", "application/json")
		// In pieces, as Go sends what has no stated length.
		json.NewEncoder(w).Encode(review{Kind: asked.Kind, APIVersion: asked.APIVersion, Response: given})
		w.(http.Flusher).Flush()
	}
}

func validate(asked *request, given *response) {
	given.Warnings = []string{"looked at by Go"}
	if asked.Object.Data["deny"] != "" {
		given.Allowed = false
		given.Status = &status{Code: 422, Reason: "Invalid", Message: asked.Object.Data["deny"]}
	}
}

func mutate(asked *request, given *response) {
	path, value := "/metadata/labels/by", any("go")
	if asked.Object.Metadata.Labels == nil {
		path, value = "/metadata/labels", map[string]string{"by": "go"}
	}
	given.Patch, _ = json.Marshal([]map[string]any{{"op": "add", "path": path, "value": value}})
	given.PatchType = "JSONPatch"
}

func main() {
	http.HandleFunc("/validate", answer(validate))
	http.HandleFunc("/mutate", answer(mutate))
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		panic(err)
	}
	fmt.Println(listener.Addr().(*net.TCPAddr).Port)
	panic(http.ServeTLS(listener, nil, os.Args[1], os.Args[2]))
}
