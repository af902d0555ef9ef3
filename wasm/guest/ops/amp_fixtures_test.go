package ops_test

import (
	"encoding/base64"
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/signalbox-dev/signalbox/core/amp"
	"github.com/signalbox-dev/signalbox/core/canon"
	"github.com/signalbox-dev/signalbox/wasm/abi"
	"github.com/signalbox-dev/signalbox/wasm/client"
	"github.com/signalbox-dev/signalbox/wasm/conformance"
)

// ampNoon is a time at which no fixture has expired: 2026-11-22T12:00:00Z.
const ampNoon = 1795348800000

var ampKeys = []string{"alice", "bob", "carol", "ec-agent", "rsa-agent"}

func mailFaults(list []canon.Fault) []client.Fault {
	out := []client.Fault{}
	for _, f := range list {
		out = append(out, client.Fault{Rule: f.Rule, Field: f.Field, Offset: int64(f.Offset), Reason: f.Reason})
	}
	return out
}

// hostMail returns core/amp's message as the host has it.
func hostMail(m *amp.Message) client.Mail {
	at := func(t amp.Time) client.Time { return client.Time(t) }
	out := client.Mail{
		Version: m.Version, ID: m.ID, From: m.From, To: m.To, Subject: m.Subject, Priority: m.Priority, Time: at(m.Time), Expires: at(m.Expires),
		Signature: m.Signature, SignatureID: m.SignatureID(), InReplyTo: m.InReplyTo, ThreadID: m.ThreadID, IdempotencyKey: m.IdempotencyKey,
		Payload: client.MailPayload{Type: m.Payload.Type, Text: m.Payload.Text, Attachments: []client.MailAttachment{}},
		Local:   client.MailLocal{Received: at(m.Local.Received), ReadAt: at(m.Local.ReadAt), Status: m.Local.Status, Method: m.Local.Method, Verified: m.Local.Verified},
		Security: client.MailSecurity{
			TrustLevel: m.Security.TrustLevel, Flags: append([]string{}, m.Security.Flags...), QuarantineID: m.Security.QuarantineID, WindowScan: m.Security.WindowScan,
			RiskScore: m.Security.RiskScore, RiskLevel: m.Security.RiskLevel, Wrapped: m.Security.Wrapped,
		},
		Findings: client.Findings{Faults: mailFaults(m.Faults), Notes: mailFaults(m.Notes)},
	}
	if m.Payload.Context != nil {
		out.Payload.Context = client.Value(m.Payload.Context)
	}
	for _, a := range m.Payload.Attachments {
		out.Payload.Attachments = append(out.Payload.Attachments, client.MailAttachment{
			ID: a.ID, Filename: a.Filename, ContentType: a.ContentType, Size: a.Size, Digest: a.Digest, URL: a.URL, ScanStatus: a.ScanStatus, Uploaded: at(a.Uploaded), Expires: at(a.Expires),
		})
	}
	return out
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
			got := parse[client.Mail](t, both.must(t, abi.AMPMessage, "", text))
			if diff := cmp.Diff(hostMail(&want), got); diff != "" {
				t.Error(diff)
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
	r := parse[client.MailReply](t, e.must(t, abi.AMPReply, "", text))
	if r.From != m.To || r.To != m.From || r.InReplyTo != m.ID || r.ThreadID != m.ThreadID {
		t.Errorf("AMP ENV-10: %+v", r)
	}
	id := parse[client.MailID](t, e.must(t, abi.AMPID, "", m.ID))
	address := parse[client.MailAddress](t, e.must(t, abi.AMPAddress, "", m.From))
	if !id.Valid || !id.Millis || !address.Valid || address.Agent+"@"+address.Domain != m.From {
		t.Errorf("AMP ENV-2 ENV-3: %+v %+v", id, address)
	}
	for _, op := range []abi.Op{abi.AMPFlags, abi.AMPUnwrap} {
		e.must(t, op, "", m.Payload.Text)
	}
	for _, a := range m.Payload.Attachments {
		f := parse[client.MailFilename](t, e.must(t, abi.AMPFilename, "", a.Filename))
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
			m := parse[client.Mail](t, both.must(t, abi.AMPMessage, "", text))
			sender, _, _ := strings.Cut(m.From, "@")
			for _, key := range ampKeys {
				pem := ampFile(t, "keys/"+key+".public.pem")
				v := parse[client.MailVerdict](t, both.must(t, abi.AMPVerify, fmt.Sprintf(`{"messageLength":%d}`, len(text)), text+pem))
				trust := parse[client.MailTrust](t, both.must(t, abi.AMPJudge, fmt.Sprintf(`{"now":%d,"messageLength":%d,"keys":[%d]}`, ampNoon, len(text), len(pem)), text+pem))
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
					want := client.MailVerdict{Verified: true, Step: step, Payload: ampFile(t, "payload-bytes/"+name+".json"), Signed: ampFile(t, "signed-bytes/"+name+".txt")}
					if diff := cmp.Diff(want, v); diff != "" {
						t.Error(diff)
					}
					both.hashed(t, v)
					state := "verified"
					if strings.HasSuffix(name, "-external") {
						state = "external"
					}
					k := parse[client.MailKey](t, both.must(t, abi.AMPKey, "", pem))
					if trust.State != state || string(trust.Step) != step || trust.Key != k.Fingerprint || k.PEM != pem {
						t.Errorf("AMP SIG-7 %s: %+v %+v", key, trust, k)
					}
				}
			}
		})
	}
}

// hashed compares the parts of the signed text with the ops that make them.
func (e called) hashed(t *testing.T, v client.MailVerdict) {
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
		trust := parse[client.MailTrust](t, both.must(t, abi.AMPJudge, fmt.Sprintf(`{"now":%d,"messageLength":%d,"keys":[%d]}`, ampNoon, len(text), len(key)), text+key))
		if want := all.File(name + ".want"); trust.State+": "+trust.Reason+"\n" != want {
			t.Errorf("AMP SIG-7 %s: %+v, want %s", name, trust, want)
		}
		v := parse[client.MailVerdict](t, both.must(t, abi.AMPVerify, fmt.Sprintf(`{"messageLength":%d}`, len(text)), text+key))
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
		l := parse[client.MailLetter](t, both.must(t, abi.AMPCompose, draft, ""))
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
			v := parse[client.MailVerdict](t, both.must(t, abi.AMPVerify, fmt.Sprintf(`{"messageLength":%d}`, len(message)), input))
			if !v.Verified || v.Step != "as stored" || v.Signed != l.Signed || v.Payload != l.Payload {
				t.Errorf("AMP SIG-6 %s %s: %+v", name, kind, v)
			}
			m := parse[client.Mail](t, both.must(t, abi.AMPMessage, "", message))
			if len(m.Faults)+len(m.Notes) > 0 || len(m.Payload.Attachments) != strings.Count(draft, `"filename"`) {
				t.Errorf("AMP ATT-1 %s: %+v", name, m)
			}
		}
	}
}
