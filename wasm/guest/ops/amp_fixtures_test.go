package ops_test

import (
	"encoding/base64"
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/signalbox-dev/signalbox/core/amp"
	"github.com/signalbox-dev/signalbox/core/canon"
	"github.com/signalbox-dev/signalbox/wasm/abi"
	"github.com/signalbox-dev/signalbox/wasm/conformance"
)

// ampNoon is a time at which no fixture has expired: 2026-11-22T12:00:00Z.
const ampNoon = 1795348800000

var ampKeys = []string{"alice", "bob", "carol", "ec-agent", "rsa-agent"}

// These types have what the tests read of the answers.
type (
	mailAnswer struct {
		amp.Message
		SignatureID string
		Payload     struct {
			amp.Payload
			Context json.RawMessage
		}
	}
	verdictAnswer struct {
		Verified              bool
		Step, Payload, Signed string
		Fault                 *canon.Fault
	}
	trustAnswer struct{ State, Reason, Step, Key string }
)

// message returns the answer as core/amp has it.
func (a *mailAnswer) message() amp.Message {
	m := a.Message
	m.Payload = a.Payload.Payload
	if string(a.Payload.Context) != "null" {
		m.Payload.Context = []byte(a.Payload.Context)
	}
	return m
}

// TestAMPMessages reads every fixture: AMP ENV-2, JSN-1 and STO-2 as core/amp has
// them, with rule, field and offset.
func TestAMPMessages(t *testing.T) {
	both := called{}
	for name, text := range ampFiles(t) {
		t.Run(name, func(t *testing.T) {
			want, err := amp.ParseMessage([]byte(text))
			if err != nil {
				t.Fatal(err)
			}
			got := parse[mailAnswer](t, both.must(t, abi.AMPMessage, "", text))
			diff := cmp.Diff(want, got.message(), cmpopts.EquateEmpty(), cmpopts.IgnoreFields(amp.Message{}, "Raw", "Payload.Raw"), cmpopts.IgnoreUnexported(amp.Message{}, amp.Payload{}))
			if diff != "" || got.SignatureID != want.SignatureID() {
				t.Error(diff, got.SignatureID)
			}
			both.mailbox(t, &want, text)
		})
	}
}

// mailbox checks that the receiver's changes leave what was signed.
func (e called) mailbox(t *testing.T, m *amp.Message, text string) {
	t.Helper()
	signed, ok := e.call(t, abi.AMPSigned, "", text)
	if !ok {
		t.Fatal(signed)
	}
	for op, params := range map[abi.Op]string{abi.AMPSetStatus: `{"status":"read","at":1795348800000}`, abi.AMPReceive: `{"at":1795348800000,"method":"local"}`} {
		out := e.must(t, op, params, text)
		if again := e.must(t, abi.AMPSigned, "", out); again != signed {
			t.Errorf("AMP STO-2: after %v %q is signed, was %q", op, again, signed)
		}
	}
	r := parse[amp.Draft](t, e.must(t, abi.AMPReply, "", text))
	if r.From != m.To || r.To != m.From || r.InReplyTo != m.ID || r.ThreadID != m.ThreadID {
		t.Errorf("AMP ENV-10: %+v", r)
	}
	id := parse[struct{ Valid, Millis bool }](t, e.must(t, abi.AMPID, "", m.ID))
	address := parse[struct {
		Valid         bool
		Agent, Domain string
	}](t, e.must(t, abi.AMPAddress, "", m.From))
	if !id.Valid || !id.Millis || !address.Valid || address.Agent+"@"+address.Domain != m.From {
		t.Errorf("AMP ENV-2 ENV-3: %+v %+v", id, address)
	}
	for _, op := range []abi.Op{abi.AMPFlags, abi.AMPUnwrap} {
		e.must(t, op, "", m.Payload.Text)
	}
	for _, a := range m.Payload.Attachments {
		f := parse[struct {
			Safe      string
			SafeFault *canon.Fault
		}](t, e.must(t, abi.AMPFilename, "", a.Filename))
		if f.Safe == "" || f.SafeFault != nil {
			t.Errorf("AMP ATT-10 %q: %+v", a.Filename, f)
		}
	}
}

// TestAMPSignatures verifies every fixture with every key, and checks AMP SIG-2,
// SIG-4, SIG-6 and SIG-7: the step, and payload and signed text byte for byte as the
// client made them, RSA and ECDSA included.
func TestAMPSignatures(t *testing.T) {
	if testing.Short() {
		t.Skip()
	}
	both := called{}
	for name, text := range ampFiles(t) {
		t.Run(name, func(t *testing.T) {
			step := map[string]string{"inbox-10-attachments": "as stored", "inbox-30-external": "without the trust wrapper"}[name]
			switch {
			case step != "":
			case strings.HasPrefix(name, "sent-"):
				step = "as stored"
			default:
				step = "without the empty attachments"
			}
			m := parse[mailAnswer](t, both.must(t, abi.AMPMessage, "", text))
			sender, _, _ := strings.Cut(m.From, "@")
			for _, key := range ampKeys {
				pem := ampFile(t, "keys/"+key+".public.pem")
				v := parse[verdictAnswer](t, both.must(t, abi.AMPVerify, fmt.Sprintf(`{"messageLength":%d}`, len(text)), text+pem))
				trust := parse[trustAnswer](t, both.must(t, abi.AMPJudge, fmt.Sprintf(`{"now":%d,"messageLength":%d,"keys":[%d]}`, ampNoon, len(text), len(pem)), text+pem))
				switch {
				case m.Signature == "":
					if v.Verified || v.Fault.Rule != "ENV-9" || trust.State != "unsigned" {
						t.Errorf("AMP ENV-9 %s: %+v %+v", key, v, trust)
					}
				case key != sender:
					if v.Verified || v.Step != "not verified" || v.Payload+v.Signed != "" || v.Fault == nil || v.Fault.Rule != "SIG-6" && v.Fault.Rule != "SIG-7" || trust.State != "untrusted" {
						t.Errorf("AMP SIG-7 %s: %+v %+v", key, v, trust)
					}
				default:
					want := verdictAnswer{Verified: true, Step: step, Payload: ampFile(t, "payload-bytes/"+name+".json"), Signed: ampFile(t, "signed-bytes/"+name+".txt")}
					if diff := cmp.Diff(want, v); diff != "" {
						t.Error(diff)
					}
					both.hashed(t, v)
					state := "verified"
					if strings.HasSuffix(name, "-external") {
						state = "external"
					}
					k := parse[struct{ Fingerprint, PEM string }](t, both.must(t, abi.AMPKey, "", pem))
					if trust.State != state || trust.Step != step || trust.Key != k.Fingerprint || k.PEM != pem {
						t.Errorf("AMP SIG-7 %s: %+v %+v", key, trust, k)
					}
				}
			}
		})
	}
}

// hashed compares the parts of the signed text with the ops that make them.
func (e called) hashed(t *testing.T, v verdictAnswer) {
	t.Helper()
	for _, payload := range []string{v.Payload, "\n" + strings.Replace(v.Payload, `{"`, "{ \r\n\t\"", 1) + "\n"} {
		if got := e.must(t, abi.AMPPayloadBytes, "", payload); got != v.Payload {
			t.Errorf("AMP SIG-4: %s", got)
		}
		hash := e.must(t, abi.AMPPayloadHash, "", payload)
		if !strings.HasSuffix(v.Signed, "|"+hash) {
			t.Errorf("AMP SIG-2: the digest %s is not the end of %s", hash, v.Signed)
		}
	}
}

// TestAMPForms judges in the module what real clients signed in other ways than ours,
// and what none of them makes of it, and holds AMP SIG-7: state, reason and signed text are
// those that core/amp gives.
func TestAMPForms(t *testing.T) {
	both := called{}
	key := ampFile(t, "forms/dora.public.pem")
	all := fixtures(t)
	tried := 0
	for _, path := range all.Under("amp/forms") {
		name, ok := strings.CutSuffix(path, ".json")
		if !ok {
			continue
		}
		tried++
		text := all.File(path)
		trust := parse[trustAnswer](t, both.must(t, abi.AMPJudge, fmt.Sprintf(`{"now":%d,"messageLength":%d,"keys":[%d]}`, ampNoon, len(text), len(key)), text+key))
		if want := all.File(name + ".want"); trust.State+": "+trust.Reason+"\n" != want {
			t.Errorf("AMP SIG-7 %s: %+v, want %s", name, trust, want)
		}
		v := parse[verdictAnswer](t, both.must(t, abi.AMPVerify, fmt.Sprintf(`{"messageLength":%d}`, len(text)), text+key))
		want := ""
		if trust.State != "untrusted" {
			want = all.File(name + ".txt")
		}
		if v.Signed != want || v.Verified != (want != "") || v.Step != trust.Step {
			t.Errorf("AMP SIG-7 %s: %+v, want %s", name, v, want)
		}
	}
	if tried < 30 {
		t.Errorf("%d vectors", tried)
	}
}

// TestAMPOpenSSL composes what openssl signed, and checks AMP SIG-1, SIG-4 and SIG-6:
// the bytes to sign are the bytes that were signed, and the finished message verifies
// with each kind of key.
func TestAMPOpenSSL(t *testing.T) {
	both := called{}
	for name, draft := range conformance.Drafts() {
		l := parse[struct{ Payload, Signed string }](t, both.must(t, abi.AMPCompose, draft, ""))
		if want := ampFile(t, "openssl/"+name+".txt"); l.Signed != want {
			t.Errorf("AMP SIG-2 %s: %q, want %q", name, l.Signed, want)
		}
		for _, kind := range []string{"ed25519", "rsa", "ecdsa"} {
			signature, err := base64.StdEncoding.DecodeString(ampFile(t, "openssl/"+name+"."+kind))
			if err != nil {
				t.Fatal(err)
			}
			message := both.must(t, abi.AMPFinish, draft, string(signature))
			input := message + ampFile(t, "openssl/"+kind+".public.pem")
			v := parse[verdictAnswer](t, both.must(t, abi.AMPVerify, fmt.Sprintf(`{"messageLength":%d}`, len(message)), input))
			if !v.Verified || v.Step != "as stored" || v.Signed != l.Signed || v.Payload != l.Payload {
				t.Errorf("AMP SIG-6 %s %s: %+v", name, kind, v)
			}
			m := parse[mailAnswer](t, both.must(t, abi.AMPMessage, "", message))
			if len(m.Faults)+len(m.Notes) > 0 || len(m.Payload.Attachments) != strings.Count(draft, `"filename"`) {
				t.Errorf("AMP ATT-1 %s: %+v", name, m)
			}
		}
	}
}
