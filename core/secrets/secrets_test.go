package secrets_test

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/signalbox-dev/signalbox/core/secrets"
)

// a is random, and in no text of a test but as the secret.
const a = "aB3dE5gH7jK9mN1pQ3sT5vX7zA9cE1gI3kM5oQ7s"

// shown are texts with a secret in place of §.
var shown = []string{
	// Tokens by their beginnings.
	"sk-ant-api03-§", "sk-proj-§", "sk-§", "sk-or-v1-§", "gsk_§", "xai-§", "pplx-§", "hf_§", "r8_§", "nvapi-§", "tvly-§", "pcsk_§", "lsv2_pt_§",
	"ghp_§", "gho_§", "ghu_§", "ghs_§", "ghr_§", "github_pat_§", "glpat-§", "gldt-§", "glrt-§", "glptt-§", "npm_§", "pypi-§", "rubygems_§", "dckr_pat_§", "dckr_oat_§",
	"AIza§", "ya29.§", "GOCSPX-§", "1//0§", "dop_v1_§", "doo_v1_§", "hvs.§", "hvb.§", "s-s4t2ud-§", "dp.pt.§", "pscale_tkn_§", "sbp_§", "tskey-auth-§", "fo1_§",
	"xoxb-§", "xoxp-§", "xapp-1-A0-1-§", "xoxe.xoxb-1-§", "https://hooks.slack.com/services/T00/B00/§", "https://discord.com/api/webhooks/123456789012345678/§",
	"123456789:AA§", "SG.aB3dE5gH7jK9mN1pQ3sT5v.§", "xkeysib-§", "sk_live_§", "rk_live_§", "sk_test_§", "whsec_§", "shpat_§", "sq0atp-§", "EAAA§",
	"glsa_§", "glc_§", "ntn_§", "secret_§", "lin_api_§", "figd_§", "PMAK-§", "sgp_§", "sntrys_§", "rdme_§", "duffel_live_§", "AGE-SECRET-KEY-1§", "ops_eyJ§", "phx_§",
	"abc8Q~§", "eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxMjM0In0.§", "ATATT3§", "cmVmd§", "AKCp§", "v1.0-§§-§§§",
	// Private keys.
	"-----BEGIN RSA PRIVATE KEY-----\nProc-Type: 4,ENCRYPTED\nDEK-Info: AES-128-CBC,0§\n\n§\n-----END RSA PRIVATE KEY-----",
	"-----BEGIN PGP PRIVATE KEY BLOCK-----\nVersion: x\n\n§\n=abcd\n-----END PGP PRIVATE KEY BLOCK-----",
	"-----BEGIN OPENSSH PRIVATE KEY-----\n§\n§\n§b==\n",
	`"-----BEGIN PRIVATE KEY-----\n§\n§\n-----END PRIVATE KEY-----\n"`,
	`\"-----BEGIN EC PRIVATE KEY-----\\n§\\n§`,
	"  1\t-----BEGIN PRIVATE KEY-----\n  2\t§\n  3\t§\n  4\t§§",
	"+-----BEGIN PRIVATE KEY-----\n+§\n+§\n",
	"---- BEGIN SSH2 ENCRYPTED PRIVATE KEY ----\nComment: \"x\"\n§\n---- END SSH2 ENCRYPTED PRIVATE KEY ----",
	"PuTTY-User-Key-File-3: ssh-ed25519\nPrivate-Lines: 1\n§\nPrivate-MAC: §",
	"client-key-data: LS0tLS1CRUdJTiBSU0EgUFJJ§",
	// Values of names.
	"AWS_SECRET_ACCESS_KEY=§", "aws_secret_access_key = §", "export API_TOKEN=§", "$env:API_KEY = \"§\"", "set DB_PASSWORD=§", "ENV API_KEY §",
	"AWS Secret Access Key [None]: §", "password = \"§\"", "password = \"correct §\"", "password := \"§\"", "password = 'it''s §'", "password: §", "passwd: §", "pwd=§;",
	"passphrase: §", "password is §", "The API key is §.", "**Password:** §", "password: `§`", "| API_KEY | § |", "db.password=§", "spring.datasource.password=§",
	`{"API_KEY": "§"}`, `{\"API_KEY\": \"§\"}`, `{\\\"API_KEY\\\": \\\"§\\\"}`, `{"clientSecret":"§"}`, `{'password': '§'}`, `:password => "§"`, `'password' => '§',`,
	`define('DB_PASSWORD', '§');`, `os.environ["API_KEY"] = "§"`, `const apiKey: string = "§"`, `var password string = "§"`, `String password = "§";`, `password: Optional[str] = "§"`,
	`{"name": "API_KEY", "value": "§"}`, "- name: API_KEY\n  value: §", `<add key="Password" value="§"/>`, "<password>§</password>", `{"Env": ["API_KEY=§"]}`,
	"password: |\n  §", "password: >-\n  §", "token:\n  \"§\"", "SECRET_KEY = '§'", "secret_key_base: §", "APP_KEY=base64:§", "JWT_SECRET=§", "accountKey=§;EndpointSuffix=x",
	"Server=x;Uid=y;Pwd=§;Database=z", "SharedAccessKey=§", "?sv=2020&sig=§", "https://x/y?access_token=§&z=1", "https://x/y?api_key=§", "X-Amz-Signature=§",
	"machine x login y password §", "//packages.example.org/:_authToken=§", "_auth=§", `{"auths": {"x": {"auth": "§"}}}`, "requirepass §", "STRIPE_KEY=§", "DB_PASS=§", "credentials: §",
	"twitter_secret = §", "algolia: §", "heroku = \"§\"", "datadog => '§'", "CREATE USER x IDENTIFIED BY '§'", "ALTER ROLE x WITH PASSWORD '§'", "session_id=§", "sessionid: \"§\"",
	"let api_key: &str = \"§\";", "const API_KEY: &'static str = \"§\";", "string password = @\"§\";", "export DB_PASSWORD=$'§'", "define( 'DB_PASSWORD', '§' );", "define( 'AUTH_KEY',     '§' );",
	"+- name: DB_PASSWORD\n+  value: \"§\"", "--  name: API_KEY\n-  value: §",
	"if password == \"§\" {", "password ||= \"§\"", "token ?= §", "password=\"§\\\"§\"", "password = b\"§\"", "password = \"\"\"§\"\"\"", "PASSWORD=§!x,y)z", "Password for 'https://x': §",
	// Addresses.
	"redis://:§@host/0", "https://§@github.com/o/r.git", "https://x:§@github.com/o/r.git", "https://§:x-oauth-basic@github.com", "postgres://u:§@db/x", "mongodb+srv://u:§@c.mongodb.net",
	"amqp://u:§@h", "root:§@tcp(127.0.0.1:3306)/db", "socks5://u:§@h:1", "ftp://u:§@h", `"url": "https:\/\/u:§@h"`,
	// Headers.
	"Authorization: Bearer §", "Authorization: Basic §=", "Authorization: §", "authorization: token §", `"Authorization": "Bearer §"`, `-H 'Authorization: Bearer §'`, `["Authorization", "Bearer §"]`,
	"Proxy-Authorization: Basic §", "X-Api-Key: §", "x-auth-token: §", "Cookie: session=§", "Cookie: a=1; session=§; b=2", "Set-Cookie: sid=§; Path=/; HttpOnly", `"cookie": "session=§"`,
	`headers.set("Authorization", "Bearer §")`, "Bearer §", `-H "Cookie: sid=§"`, `\"Authorization\": \"Bearer §\"`, "Authorization: AWS4-HMAC-SHA256 Credential=x, Signature=§",
	// Commands.
	"curl -u user:§ https://x", "curl --user 'user:§' https://x", "curl -x p -U user:§ https://x", "curl -uuser:§ x", "mysql --password §", "mysql --password=§", "mysql -u root -p§ db",
	"sshpass -p § ssh x", "sshpass -p '§' ssh x", "docker login -u x -p §", "redis-cli -h x -a §", "mongosh -u x -p §", "PGPASSWORD=§ psql", "mytool --token §", "mytool --api-key=§",
	"openssl rsa -passin pass:§ -in x", "ldapsearch -D x -w §", "sqlcmd -S x -U y -P §", "gpg --passphrase §", "keytool -storepass §", "zip -P § x.zip", "7z a -p§ x", "htpasswd -b f u §",
	"smbclient -U user%§ //x", "wget --http-password=§ x", "ssh-keygen -t x -N '§'", "helm --set auth.password=§", "kubectl create secret generic x --from-literal=password=§", "npm login --auth-token §",
	`curl -b "session=§" https://x`, `curl --cookie 'a=§' https://x`, `{"command": "curl -b \"sid=§\" x"}`, "setx API_KEY \"§\"",
	"ConvertTo-SecureString -AsPlainText -String x; $Password = \"§\"", `{"command": "curl -u \"user:§\" x"}`, `{"command": "mysql -p§"}`,
}

// TestMasked checks that no secret is shown, in whole or in part, in any text around it, and
// with any invisible marks in it.
func TestMasked(t *testing.T) {
	if len(shown) < 106 {
		t.Fatal(len(shown), "kinds")
	}
	for _, kind := range shown {
		for name, text := range around(kind) {
			got := secrets.Mask(text)
			if plain := unmarked.Replace(got); half(plain) {
				t.Errorf("%s: %q is shown as %q", name, text, got)
			}
		}
	}
}

// TestWords checks that a password of words and numbers is masked where its place shows that
// it is a secret.
func TestWords(t *testing.T) {
	for _, kind := range []string{"mysql --password §", "gpg --batch --passphrase § -d x", "Authorization: Bearer §", "curl -H Authorization: Bearer § x", "curl --cookie a=§ x"} {
		if got := secrets.Mask(placed(kind, "correctHorse9Battery")); strings.Contains(got, "Horse") {
			t.Errorf("%q is shown as %q", kind, got)
		}
	}
}

// half reports whether some of the secret is left.
func half(s string) bool {
	for i := 0; i+6 <= len(a); i++ {
		if strings.Contains(s, a[i:i+6]) {
			return true
		}
	}
	return false
}

var unmarked = strings.NewReplacer("\u200b", "", "\u00ad", "", "\x1b[1m", "", `\u001b[0m`, "")

// around returns a text with a secret in other texts, and with marks in it.
func around(kind string) map[string]string {
	text := placed(kind, a)
	list := map[string]string{
		"alone": text, "between": "see:\n" + text + "\nand more", "zero width": placed(kind, marked(a, "\u200b")), "soft hyphens": placed(kind, marked(a, "\u00ad")),
		"colours": placed(kind, marked(a, "\x1b[1m")), "spelled colours": placed(kind, marked(a, `\u001b[0m`)), "marks everywhere": marked(text, "\u200b"), "colours everywhere": marked(text, "\x1b[1m"),
	}
	if !strings.Contains(text, `\`) { // a tool's arguments, and such in what another one wrote
		list["in JSON"], list["in JSON in JSON"] = quoted(text), quoted(quoted(text))
	}
	return list
}

// quoted returns a text as a string of JSON.
func quoted(s string) string {
	data, _ := json.Marshal(map[string]string{"content": s})
	return strings.NewReplacer(`\u003c`, "<", `\u003e`, ">", `\u0026`, "&").Replace(string(data))
}

// placed puts a secret in its places in a text.
func placed(kind, secret string) string { return strings.ReplaceAll(kind, "§", secret) }

func marked(s, mark string) string {
	return strings.Join(strings.Split(s, ""), mark)
}

// TestPlain checks that texts, code, hashes and ids without a secret are unchanged.
func TestPlain(t *testing.T) {
	for _, text := range plain {
		if got := secrets.Mask(text); got != text {
			t.Errorf("%q is shown as %q", text, got)
		}
	}
}

var plain = []string{
	"", "plain words", "the token is short: ab", "token count: 12", "max_tokens: 100000", `"input_tokens": 123456, "cache_read_input_tokens": 12345678`,
	"6cf74224c4a9837c", "commit a9e976f4c2b1d0e9f8a7b6c5d4e3f2a1b0c9d8e7", "merge 4c2882c2..56fc6d63 into main", "550e8400-e29b-41d4-a716-446655440000",
	`"integrity": "sha512-8yVjBDwJ0bBzvpXyUw1vN1Z1mCpEwU9R8dJq0q3m7Kc4h5nqZ6W8b7c9d0e1f2a3b4c5d6e7f8a9b0c1d2e3f4g=="`,
	"github.com/google/go-cmp v0.7.0 h1:wk8382ETsv4JYUZwIsn6YpYiWiBsYLSJiTsyBu81dJg=", "sha256:e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855",
	"data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==",
	`//# sourceMappingURL=data:application/json;base64,eyJ2ZXJzaW9uIjozLCJzb3VyY2VzIjpbImEudHMiXSwibmFtZXMiOltdfQ==`, `"mappings":"AAAA,SAASA,IACP,OAAOC,EAAE"`,
	`!function(e,t){var n=e.token,r=t.password;n.token=r.getToken(12345678),e.secret=t,a1b2c3=e.key("abc123")}(window)`, `e.exports={token:e.token,password:"password",secret:t.s}`,
	"password: string;", "token: string | null", "password = getPassword()", "token := r.Header.Get(\"X-Token\")", "secret = os.environ[\"SECRET\"]", "password: ${DB_PASSWORD}", "token=$TOKEN",
	"const token = await fetchToken(user, 12)", "if token == nil {", "password=password", "token: null,", "\"secret\": true", "password: Optional[str] = None", "TOKEN=$(cat token)", "API_KEY=${API_KEY:-}",
	"password: <your password>", "password=********", "Authorization: Bearer ${token}", "Authorization: Bearer <token>", `"Authorization": "Bearer " + token`, "Authorization: required for all of them",
	"authorization: string", "cookie: Cookie", "const cookie = req.headers.cookie;", "basic authentication is on", "the bearer of this letter", "Cookie: none", "cookies: 12 kinds",
	"https://example.org/a:b@c", "ssh://git@github.com/a/b", "https://user@example.org/", "git@github.com:a/b.git", "postgres://${USER}:${PASS}@db/x", "http://localhost:8080/a@b", "npm install @types/node",
	"task-management-something-long-1", "risk-assessment-of-the-2-projects", "scikit-learn: sk-learn-based-regression", "mask_rcnn_resnet50_fpn_coco_2019", "desk-1234567890", "core/secrets: the mask",
	"type=\"password\" name=\"password\" placeholder=\"Password\"", "Forgot your password? Enter your password: it has 8 characters", `"password": "Enter your password"`, `autocomplete="current-password"`,
	"tokenizer: cl100k_base_v2_final", "token_type: Bearer2Type34Abc12", `"secretName": "my-app-secret-2"`, "passwordFile: /run/secrets/db1", "token_url: https://x/oauth2/v4/token", "secretary: Ann2345678",
	"--- PASS: TestMask2 (0.01s)", "PWD=/home/dev/x1", "pass 12 of 14", "compass: north2north", "bypass=12345678", "the mysql -p option asks", "ps -u root", "ssh -p 2222 host", "docker run -p 8080:80 x1", "mkdir -p a1/b2/c3",
	"curl -u $USER:$PASS https://x", "cp -a a1 b2", "kill -9 12345", "grep -w token2 x", "-----BEGIN CERTIFICATE-----\nMIIBszCCARygAwIBAgIJAKx1\n-----END CERTIFICATE-----", "-----BEGIN PUBLIC KEY-----\nMIIBszCCARygAwIBAgIJAKx1\n",
	"the line -----BEGIN PRIVATE KEY----- begins a key", "ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIJxGk1 dev@host", "-----BEGIN PRIVATE KEY-----", "key: value", "cache-key: node-modules-linux-6cf74224c4a9837c",
	"primary_key=1234", "`password` is a string", "const TOKEN = \"token\"", "keyword.operator.assignment", `{"token": "keyword.operator.assignment.js"}`, "unexpected token '12' at position 3: }", "Unexpected token < in JSON at position 0",
	"csrf token: missing", "func Token(name string) string {", "token.Pos = 12", "secrets.Mask(text)", "import secrets", "the secret: be kind", "access key: see the manual", "hunter2", "日本語のパスワード: なし", "naïve — “quoted” text…",
	"\x1b[31mred\x1b[0m text with colours", "soft\u00adhyphen and zero\u200bwidth", "%s:%s@tcp(%s)/", "user:${PASS}@tcp(db)/x", "A3 paper", "AKIA is a prefix", "ghp_ begins a token", "xoxb-", "sk-", "hf_", "eyJ",
	"export default class SecretStore extends Base2", "password_hash VARCHAR(255)", "PASSWORD_MIN_LENGTH=12", "SESSION_COOKIE_SECURE=True", "TOKEN_EXPIRY=86400000", "GITHUB_TOKEN: ${{ secrets.GITHUB_TOKEN }}", "token: ${{ secrets.NPM_TOKEN }}",
}
