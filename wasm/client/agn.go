package client

import (
	"bytes"
	"context"
	"encoding/json"
	"reflect"

	"github.com/signalbox-dev/signalbox/wasm/abi"
)

// AGN are the ops of AMP/1.0 tasks with Go types. Every method is one call of
// the module; errors are as those of [SAMP]. Text of messages is a stranger's.
type AGN struct{ caller Caller }

// NewAGN gives the ops of AMP/1.0 tasks of any engine.
func NewAGN(c Caller) AGN { return AGN{caller: c} }

// Message reads a message, also one that is invalid.
func (t AGN) Message(ctx context.Context, message []byte) (TaskMessage, error) {
	var m TaskMessage
	return m, t.decode(ctx, &m, abi.AGNMessage, struct{}{}, message)
}

// Payload reads a payload without its envelope, as one of the given type.
func (t AGN) Payload(ctx context.Context, kind string, payload []byte) (TaskPayload, TaskFindings, error) {
	var r struct {
		Payload TaskPayload
		TaskFindings
	}
	err := t.decode(ctx, &r, abi.AGNPayload, struct {
		Type string `json:"type"`
	}{kind}, payload)
	return r.Payload, r.TaskFindings, err
}

// Check holds a message against the texts of the other messages of its task, in
// any order. It is for a message without faults of its own. unread counts the
// texts that are no JSON object.
func (t AGN) Check(ctx context.Context, message []byte, history [][]byte) (found TaskFindings, unread int64, err error) {
	var r struct {
		TaskFindings
		Unread int64
	}
	var b bytes.Buffer
	b.Write(message)
	err = t.decode(ctx, &r, abi.AGNCheck, struct {
		MessageLength int   `json:"messageLength"`
		History       []int `json:"history"`
	}{len(message), put(&b, history)}, b.Bytes())
	return r.TaskFindings, r.Unread, err
}

// TaskHistory is the texts of what is known of a task, each list in any order.
type TaskHistory struct{ Messages, Acks, Resumes [][]byte }

type taskParams struct {
	TaskID   string `json:"taskId"`
	Now      int64  `json:"now"`
	Messages []int  `json:"messages"`
	Acks     []int  `json:"acks"`
	Resumes  []int  `json:"resumes"`
}

func (h *TaskHistory) join(taskID string, now int64, b *bytes.Buffer) taskParams {
	return taskParams{taskID, now, put(b, h.Messages), put(b, h.Acks), put(b, h.Resumes)}
}

// put appends texts and gives their lengths.
func put(b *bytes.Buffer, texts [][]byte) []int {
	lengths := make([]int, len(texts))
	for i, text := range texts {
		lengths[i] = len(text)
		b.Write(text)
	}
	return lengths
}

// State follows a task to the moment now, in Unix milliseconds.
func (t AGN) State(ctx context.Context, taskID string, h TaskHistory, now int64) (TaskState, error) {
	var s TaskState
	var b bytes.Buffer
	params := h.join(taskID, now, &b)
	return s, t.decode(ctx, &s, abi.AGNState, params, b.Bytes())
}

// Alarms lists what the admin must be told at the moment now, in Unix
// milliseconds, and was not told yet. refused are the texts of messages that
// count for nothing.
func (t AGN) Alarms(ctx context.Context, taskID string, h TaskHistory, refused [][]byte, now int64) ([]Alarm, error) {
	var r struct{ Alarms []Alarm }
	var b bytes.Buffer
	params := h.join(taskID, now, &b)
	err := t.decode(ctx, &r, abi.AGNAlarms, struct {
		taskParams
		Refused []int `json:"refused"`
	}{params, put(&b, refused)}, b.Bytes())
	return r.Alarms, err
}

// MessageID is a message's id in its parts.
type MessageID struct {
	// Valid tells that the id has the form; it is then safe as the name of a
	// file. The other fields are empty if it has not.
	Valid        bool
	Type, TaskID string
	Millis       int64
}

// ID takes a message's id apart.
func (t AGN) ID(ctx context.Context, id string) (MessageID, error) {
	var r MessageID
	return r, t.decode(ctx, &r, abi.AGNID, struct{}{}, []byte(id))
}

// ValidTaskID tells whether an id has the form T-YYYY-NNN. One that has is safe
// as the name of a file.
func (t AGN) ValidTaskID(ctx context.Context, id string) (bool, error) {
	var r struct{ Valid bool }
	err := t.decode(ctx, &r, abi.AGNValidTaskID, struct{}{}, []byte(id))
	return r.Valid, err
}

// Ack reads an ACK.
func (t AGN) Ack(ctx context.Context, record []byte) (Ack, error) {
	var r Ack
	return r, t.decode(ctx, &r, abi.AGNAck, struct{}{}, record)
}

// Resume reads the admin's answer.
func (t AGN) Resume(ctx context.Context, record []byte) (Resume, error) {
	var r Resume
	return r, t.decode(ctx, &r, abi.AGNResume, struct{}{}, record)
}

// Record reads a task's file.
func (t AGN) Record(ctx context.Context, record []byte) (TaskRecord, error) {
	var r TaskRecord
	return r, t.decode(ctx, &r, abi.AGNRecord, struct{}{}, record)
}

// Rejection reads a line of the error log.
func (t AGN) Rejection(ctx context.Context, line []byte) (Rejection, error) {
	var r struct {
		Rejection
		Faults []Fault
	}
	err := t.decode(ctx, &r, abi.AGNRejection, struct{}{}, line)
	r.Rejection.Faults = r.Faults
	return r.Rejection, err
}

func (t AGN) bytes(ctx context.Context, op abi.Op, params any, b []byte) ([]byte, error) {
	if err := checkTexts(op, reflect.ValueOf(params)); err != nil {
		return nil, err
	}
	return exchange(ctx, t.caller, op, params, b)
}

func (t AGN) decode(ctx context.Context, into any, op abi.Op, params any, b []byte) error {
	result, err := t.bytes(ctx, op, params, b)
	if err != nil {
		return err
	}
	return json.Unmarshal(result, into)
}

// checkTexts refuses, in any value, what [checkText] does.
func checkTexts(op abi.Op, v reflect.Value) error {
	switch v.Kind() {
	case reflect.String:
		return checkText(op, v.String())
	case reflect.Pointer, reflect.Interface:
		if !v.IsNil() {
			return checkTexts(op, v.Elem())
		}
	case reflect.Slice:
		if v.Type().Elem().Kind() == reflect.Uint8 {
			return nil // raw JSON, which is not changed
		}
		for i := range v.Len() {
			if err := checkTexts(op, v.Index(i)); err != nil {
				return err
			}
		}
	case reflect.Struct:
		for i := range v.NumField() {
			if err := checkTexts(op, v.Field(i)); err != nil {
				return err
			}
		}
	}
	return nil
}
