import PayrelayPrimitives

@testable import FortAPI

/// Signatures with each known mistake, made by another implementation in another language.
enum MistakesInPython {
    /// A mistake's name, and the signature to which it leads.
    struct Case: Sendable, CustomStringConvertible {
        let name: String
        let way: Int
        let type: FortSignatureType
        let signature: String

        var description: String { "\(name) \(way), \(type.rawValue)" }
    }

    /// A message in which every mistake shows. It is unsorted, and has empty values, slashes, plus signs, Arabic, spaces, and
    /// names whose place differs in other sort orders.
    static let message: JSONObject = [
        "merchant_reference": "ORDER-1001", "amount": "10000", "currency": "AED", "command": "PURCHASE",
        "merchant_extra1": "b", "merchant_extra": "a", "merchant_extra2": "", "merchant_extra3": "",
        "digital_wallet": "APPLE_PAY", "language": "en", "customer_email": "canary+1@example.com",
        "customer_name": " سارة ", "order_description": "Tom & 'Co' / 2", "phone_number": .null, "X_custom": "1",
        "card_number": "400555******0001", "expiry_date": "2705", "access_code": "zx0IPmPy5jp1vAz8Kpg7",
        "merchant_identifier": "CycHZxVj", "apple_data": "CANARY/BBB+CCC==", "apple_signature": "MIAG/CSq+A==",
        "apple_applicationData": "a1b2",
        "apple_header": [
            "apple_transactionId": "ee0c2d", "apple_ephemeralPublicKey": "MFkw/EwY+A==",
            "apple_publicKeyHash": "YWEP/i8j+n8=",
        ],
        "apple_paymentMethod": [
            "apple_network": "Visa", "apple_type": "debit", "apple_displayName": "Visa 0492,",
        ],
        "signature": "0123456789abcdef",
    ]
    /// A phrase that settings files, shells and HTML can corrupt.
    static let phrase = "CANARY&lt;a&b$c'd#e"
    static let otherPhrase = "CANARY-OTHER"

    /// Returns every mistake, in every variant that the program below knows, with two of the types.
    static func cases() throws -> [Case] {
        try [FortSignatureType.hmacSHA256, .sha512].flatMap { type in
            try signatures(type: type).map { Case(name: $0.name, way: $0.way, type: type, signature: $0.signature) }
        }
    }

    private static func signatures(
        type: FortSignatureType
    ) throws -> [(name: String, way: Int, signature: String)] {
        let input: JSON = [
            "message": .object(message), "phrase": .string(phrase), "other": .string(otherPhrase),
            "type": .string(type.rawValue),
        ]
        let output = String(decoding: try Shared.run(python: program, input: input.encoded()), as: UTF8.self)
        return output.split(separator: "\n").map { line in
            let parts = line.split(separator: " ")
            return (String(parts[0]), Int(parts[1]) ?? -1, String(parts[2]))
        }
    }

    /// The program reads the message, the phrases and the type. It prints a mistake's name, the number of the variant, and the
    /// signature.
    private static let program = #"""
        import base64, copy, hashlib, hmac, html, itertools, json, re, sys, urllib.parse

        given = json.load(sys.stdin)
        MESSAGE, PHRASE, OTHER, TYPE = given["message"], given["phrase"], given["other"], given["type"]

        def plain(value):
            if value is None: return ""
            if isinstance(value, dict): return "{" + ", ".join(k + "=" + plain(v) for k, v in value.items()) + "}"
            return value

        def pairs(message, text=plain, without=("signature",), equals="="):
            return [k + equals + text(v) for k, v in message.items() if k not in without]

        def ordered(message, key=lambda k: k.encode()):
            return {k: message[k] for k in sorted(message, key=key)}

        def digest(text, start=PHRASE, end=PHRASE, key=PHRASE, type=TYPE):
            text = (start + text + end).encode()
            name = type.split("-")[-1]
            if type.startswith("hmac"): return hmac.new(key.encode(), text, name).hexdigest()
            return hashlib.new(name, text).hexdigest()

        def sign(message=MESSAGE, text=plain, **how):
            return digest("".join(pairs(ordered(message), text)), **how)

        def changed(**changes):
            message = dict(MESSAGE)
            for name, value in changes.items():
                if value is ...: message.pop(name, None)
                else: message[name] = value
            return message

        def strings(value, change):
            if isinstance(value, dict): return {k: strings(v, change) for k, v in value.items()}
            return change(value) if isinstance(value, str) else value

        def nested(render):
            return sign(text=lambda v: render(v) if isinstance(v, dict) else plain(v))

        def phrase(p): return sign(start=p, end=p, key=p)

        def joined(value, between=", ", equals="=", name="", quote="", open="{", close="}"):
            return open + between.join(name + k + name + equals + quote + v + quote for k, v in value.items()) + close

        made = {}
        def make(name, *signatures): made[name] = signatures

        # What is signed
        make("signature-signed", digest("".join(pairs(ordered(MESSAGE), without=()))),
             digest("".join(pairs(ordered(changed(signature="")), without=()))))
        make("parameter-left-out", *[sign(changed(**{k: ...})) for k in ("amount", "customer_email", "apple_header")])
        make("apple-parameters-left-out", sign({k: v for k, v in MESSAGE.items() if "apple_" not in k}))
        make("card-parameters-left-out", sign(changed(card_number=..., expiry_date=...)))
        make("parameter-not-sent", sign(changed(eci="ECOMMERCE")))

        # Values
        make("empty-values-left-out", sign({k: v for k, v in MESSAGE.items() if v not in ("", None)}))
        make("empty-values-signed", sign(changed(statement_descriptor="")), sign(changed(eci="")))
        make("null-signed-as-word", sign(changed(phone_number="null")), sign(changed(phone_number="None")))
        make("slashes-escaped", sign(strings(MESSAGE, lambda v: v.replace("/", r"\/"))))
        make("unicode-escaped", sign(strings(MESSAGE, lambda v: v.encode("ascii", "backslashreplace").decode())))
        make("url-encoded", sign(strings(MESSAGE, lambda v: urllib.parse.quote(v, safe=""))),
             sign(strings(MESSAGE, lambda v: urllib.parse.quote_plus(v, safe=""))))
        make("plus-became-space", sign(strings(MESSAGE, lambda v: v.replace("+", " "))))
        make("values-html-encoded", sign(strings(MESSAGE, lambda v: html.escape(v).replace("&#x27;", "&#039;"))))
        make("values-trimmed", sign(strings(MESSAGE, str.strip)))
        make("values-untrimmed", sign(changed(currency="AED ")), sign(changed(apple_data=" " + MESSAGE["apple_data"])))
        make("amount-in-major-units", *[sign(changed(amount=a)) for a in ("100.00", "100", "10000.00", "1000000")])

        # Order
        make("pairs-sorted", digest("".join(sorted(pairs(MESSAGE), key=str.encode))))
        make("unsorted", digest("".join(pairs(MESSAGE))))
        make("sorted-ignoring-case", digest("".join(pairs(ordered(MESSAGE, key=str.lower)))))
        make("inner-names-sorted", nested(lambda v: plain(ordered(v))))
        header = MESSAGE["apple_header"]
        sdk = ["apple_transactionId", "apple_publicKeyHash", "apple_ephemeralPublicKey"]
        method = ["apple_displayName", "apple_network", "apple_type"]
        make("inner-names-in-another-order", sign(changed(apple_header={k: header[k] for k in sdk})),
             sign(changed(apple_header={k: header[k] for k in sdk},
                          apple_paymentMethod={k: MESSAGE["apple_paymentMethod"][k] for k in method})))

        # Objects
        make("nested-as-json", nested(lambda v: json.dumps(v, separators=(",", ":"))), nested(json.dumps),
             nested(lambda v: json.dumps(v, separators=(",", ":")).replace("/", r"\/")))
        make("nested-with-other-separators", *[nested(lambda v: joined(v, s)) for s in (",", "&", "")])
        make("nested-without-braces", *[nested(lambda v: joined(v, s, open="", close="")) for s in (", ", "&", "")])
        make("nested-with-quotes", nested(lambda v: joined(v, quote='"')), nested(lambda v: joined(v, name='"', quote='"')))
        make("nested-with-colons", nested(lambda v: joined(v, equals=": ")), nested(str))
        make("nested-with-trailing-separator", nested(lambda v: joined(v, close=", }")))
        make("nested-trimmed-at-end", nested(lambda v: "{" + "".join(k + "=" + x + ", " for k, x in v.items()).rstrip(", ") + "}"))
        make("nested-printed-as-type", nested(lambda v: "Array"), nested(lambda v: "[object Object]"))
        make("nested-names-without-prefix", nested(lambda v: plain({k[6:]: x for k, x in v.items()})))
        flat = {}
        for k, v in MESSAGE.items(): flat.update(v if isinstance(v, dict) else {k: v})
        make("nested-flattened", sign(flat))
        make("nested-left-out", sign({k: v for k, v in MESSAGE.items() if not isinstance(v, dict)}))
        make("application-data-in-header",
             sign(changed(apple_applicationData=..., apple_header=header | {"apple_applicationData": "a1b2"})))

        # The text
        make("pairs-separated", *[digest(s.join(pairs(ordered(MESSAGE)))) for s in ("&", ", ", "|", "\n")])
        make("pairs-with-colons", *[digest("".join(pairs(ordered(MESSAGE), equals=s))) for s in (":", "")])
        make("names-left-out", digest("".join(plain(v) for k, v in ordered(MESSAGE).items() if k != "signature")))
        body = changed(signature=...)
        make("json-signed", *[digest(json.dumps(b, separators=(",", ":"), ensure_ascii=False)) for b in (body, ordered(body))])

        # The phrase
        make("phrase-missing-at-start", sign(start=""))
        make("phrase-missing-at-end", sign(end=""))
        make("phrase-missing", sign(start="", end=""))
        make("other-phrase", phrase(OTHER))
        make("phrases-mixed", sign(end=OTHER), sign(start=OTHER))
        make("phrase-with-line-break", phrase(PHRASE + "\n"), phrase(PHRASE + "\r\n"))
        make("phrase-with-space", phrase(" " + PHRASE), phrase(PHRASE + " "))
        make("phrase-html-decoded", phrase(html.unescape(PHRASE)))
        make("phrase-html-encoded", phrase(html.escape(PHRASE).replace("&#x27;", "&#039;")))
        make("phrase-in-quotes", phrase('"' + PHRASE + '"'), phrase("'" + PHRASE + "'"))
        make("phrase-expanded", phrase(re.sub(r"\$[a-z]+", "", PHRASE)))
        make("phrase-cut-at-hash", phrase(PHRASE.split("#")[0]))

        # The algorithm
        for other in ("sha256", "sha512", "hmac-sha256", "hmac-sha512", "sha1", "hmac-sha1"):
            if other != TYPE: make("hashed-with-" + other, sign(type=other))
        if TYPE.startswith("hmac"):
            make("hmac-key-empty", sign(key=""))
            make("hmac-key-other-phrase", sign(key=OTHER))

        # The digits
        make("upper-case", sign().upper())
        make("base64", base64.b64encode(bytes.fromhex(sign())).decode())

        # Two at once
        make("phrase-missing-at-end+hashed-with-sha256", sign(end="", type="sha256"))
        make("inner-names-sorted+other-phrase",
             sign(text=lambda v: plain(ordered(v)) if isinstance(v, dict) else plain(v), start=OTHER, end=OTHER, key=OTHER))
        make("slashes-escaped+unicode-escaped",
             sign(strings(MESSAGE, lambda v: v.replace("/", r"\/").encode("ascii", "backslashreplace").decode())))
        make("empty-values-left-out+nested-as-json",
             sign({k: v for k, v in MESSAGE.items() if v not in ("", None)},
                  text=lambda v: json.dumps(v, separators=(",", ":")) if isinstance(v, dict) else plain(v)))
        make("phrase-missing+upper-case", sign(start="", end="").upper())

        for name, signatures in made.items():
            for way, signature in enumerate(signatures): print(name, way, signature)
        """#
}
