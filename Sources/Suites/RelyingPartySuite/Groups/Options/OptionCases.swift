internal import Conformance
internal import Documents
internal import WebAuthn

/// The demands on the members that both kinds of options have.
enum OptionCases {
    static func creation(
        _ id: String, _ title: String, _ clause: Clause, level: Level = .must,
        _ look: @escaping @Sendable (JSONValue, CaseRecorder) throws -> Void
    ) -> Case {
        Case("creationOptions.\(id)", title, clause, level: level, effects: [.makesAccount]) { bench, recorder in
            try look(try await bench.requireRegistration().options, recorder)
        }
    }

    static func request(
        _ id: String, _ title: String, _ clause: Clause, level: Level = .must,
        _ look: @escaping @Sendable (JSONValue, CaseRecorder) throws -> Void
    ) -> Case {
        Case("requestOptions.\(id)", title, clause, level: level, effects: [.makesAccount]) { bench, recorder in
            try look(try await bench.requireBegun().0.options, recorder)
        }
    }

    /// - Parameter use: the use of the options, such as "for a registration".
    static func shared(
        _ use: String,
        _ make: (String, String, Clause, Level, @escaping @Sendable (JSONValue, CaseRecorder) throws -> Void) -> Case
    ) -> [Case] {
        [
            make("challenge.present", "The challenge \(use) is base64url without padding.", .webauthn("5.1.9"), .must) {
                options, recorder in
                let text = options["challenge"]?.text
                recorder.expect(
                    text.flatMap(Base64URL.decode) != nil, "a challenge in base64url without padding",
                    seen: text ?? words(options["challenge"]))
            },
            make("challenge.length", "The challenge \(use) has at least 16 bytes.", .webauthn("13.4.3"), .should) {
                options, recorder in
                let count = options["challenge"]?.text.flatMap(Base64URL.decode)?.count ?? 0
                recorder.expect(count >= 16, "at least 16 bytes", seen: "\(count) bytes")
            },
            make("challenge.random", "The bytes of the challenge \(use) are not all alike.", .webauthn("13.4.3"), .must)
            {
                options, recorder in
                let bytes = options["challenge"]?.text.flatMap(Base64URL.decode) ?? []
                recorder.expect(Set(bytes).count > bytes.count / 4, "random bytes", seen: Hex.encode(bytes))
            },
            make("timeout.number", "The timeout \(use), if stated, is a positive number.", .webauthn("5.4"), .must) {
                options, recorder in
                guard let timeout = options["timeout"], timeout != .null else { return }
                recorder.expect(
                    timeout.integer.map { (1...Int(UInt32.max)).contains($0) } ?? false, "a number of milliseconds",
                    seen: words(timeout))
            },
            make(
                "timeout.range", "The timeout \(use), if stated, is within the recommended five to ten minutes.",
                .webauthn("15.1"), .should
            ) { options, recorder in
                guard let timeout = options["timeout"]?.integer else { return }
                recorder.expect((300_000...600_000).contains(timeout), "300,000 to 600,000 ms", seen: "\(timeout) ms")
            },
            make("hints.list", "The hints \(use), if stated, are texts.", .webauthn("5.8.7"), .must) {
                options, recorder in
                guard let hints = options["hints"], hints != .null else { return }
                recorder.expect(
                    hints.array?.allSatisfy { $0.text != nil } ?? false, "a list of texts", seen: words(hints))
            },
            make("extensions.object", "The extensions \(use), if stated, are an object.", .webauthn("5.7"), .must) {
                options, recorder in
                guard let extensions = options["extensions"], extensions != .null else { return }
                recorder.expect(extensions.object != nil, "an object", seen: words(extensions))
            },
        ]
    }

    /// The fewest bits by which two random challenges in succession differ.
    ///
    /// Two UUIDs of version 7, which have 74 random bits (RFC 9562 §5.7), differ by 37 bits on average.
    private static let leastChange = 20

    /// Looks at challenges in succession: a counter or a time changes a few bits only.
    static func expectNoSequence(_ recorder: CaseRecorder, _ begin: () async throws -> JSONValue) async throws {
        var challenges: [[UInt8]] = []
        for _ in 0..<4 {
            guard let bytes = try await begin()["challenge"]?.text.flatMap(Base64URL.decode) else {
                throw CaseStop.blocked("a challenge is not base64url")
            }
            challenges.append(bytes)
        }
        let changes = zip(challenges, challenges.dropFirst()).map { first, second in
            zip(first, second).reduce(0) { $0 + ($1.0 ^ $1.1).nonzeroBitCount }
        }
        recorder.expect(
            changes.max().map { $0 >= leastChange } ?? false,
            "at least \(leastChange) bits that differ between successive challenges",
            seen: challenges.map(Hex.encode).joined(separator: ", "))
    }

    /// Looks at a list of credential descriptors (WebAuthn L3 §5.8.3).
    static func expectDescriptors(_ list: JSONValue?, _ name: String, _ recorder: CaseRecorder) {
        guard let list, list != .null else { return }
        guard let items = list.array else {
            recorder.expect(false, "\(name) is a list", seen: words(list))
            return
        }
        for item in items {
            recorder.expect(
                item["type"]?.text == "public-key", "the type public-key in each item of \(name)", seen: words(item))
            let id = item["id"]?.text.flatMap(Base64URL.decode) ?? []
            recorder.expect(
                (1...1023).contains(id.count), "a credential ID in base64url in each item of \(name)",
                seen: words(item))
            guard let transports = item["transports"], transports != .null else { continue }
            recorder.expect(
                transports.array?.allSatisfy { $0.text != nil } ?? false, "a list of texts as transports",
                seen: words(transports))
        }
    }

    /// Whether an ID is an RP ID for an origin: its host, or a part of that from a dot on (WebAuthn L3 §5.1.3 step 7).
    static func isRelyingPartyID(_ id: String, for origin: String) -> Bool {
        let host = origin.split(separator: "/").last?.split(separator: ":").first.map(String.init) ?? ""
        return id == host || host.hasSuffix("." + id)
    }

    static func words(_ value: JSONValue?) -> String {
        guard let value else { return "nothing" }
        return (try? value.bytes()).map { String(decoding: $0.prefix(200), as: UTF8.self) } ?? "no JSON"
    }
}
