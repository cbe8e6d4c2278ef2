internal import CBOR
internal import CTAP
internal import Conformance

extension AuthenticatorSuite {
    /// The extension credBlob (CTAP 2.3 §12.2).
    package static let credBlob = Group("credBlob", "The extension credBlob", BlobCases.credBlob)
    /// The extension largeBlobKey (CTAP 2.3 §12.3).
    package static let largeBlobKey = Group("largeBlobKey", "The extension largeBlobKey", BlobCases.largeBlobKey)
}

enum BlobCases {
    // MARK: credBlob

    private static let blob = CBOR.Value.bytes([UInt8](repeating: 0xB1, count: 32))

    @CaseTable static var credBlob: [Case] {
        blobCase("stored", "A discoverable credential stores a credBlob, and an assertion gives it.") {
            bench in
            let made = try await bench.makeAny(extensions: ["credBlob": blob], discoverable: true)
            bench.expect(made.outputs["credBlob"] == true, "credBlob true", seen: words(made.outputs["credBlob"]))
            let given = try await bench.anyAssertion(with: made, extensions: ["credBlob": true])
            bench.expect(given.outputs["credBlob"] == blob, "the stored bytes", seen: words(given.outputs["credBlob"]))
        }
        blobCase("longest", "A credBlob of the declared length is stored.") { bench in
            let length = bench.info.maxCredBlobLength ?? 32
            let longest = CBOR.Value.bytes([UInt8](repeating: 0xB2, count: length))
            let made = try await bench.makeAny(extensions: ["credBlob": longest], discoverable: true)
            let given = try await bench.anyAssertion(with: made, extensions: ["credBlob": true])
            bench.expect(
                made.outputs["credBlob"] == true && given.outputs["credBlob"] == longest, "\(length) stored bytes",
                seen: words(given.outputs["credBlob"]))
        }
        blobCase("tooLong", "A credBlob beyond the declared length is not stored.") {
            bench in
            let length = (bench.info.maxCredBlobLength ?? 32) + 1
            let made = try await bench.makeAny(
                extensions: ["credBlob": .bytes([UInt8](repeating: 0xB3, count: length))], discoverable: true)
            bench.expect(made.outputs["credBlob"] == false, "credBlob false", seen: words(made.outputs["credBlob"]))
            let given = try await bench.anyAssertion(with: made, extensions: ["credBlob": true])
            bench.expect(
                given.outputs["credBlob"] == .bytes([]), "an empty byte string",
                seen: words(given.outputs["credBlob"]))
        }
        blobCase("none", "A credential without a credBlob gives an empty one.") { bench in
            let made = try await bench.makeAny(discoverable: true)
            let given = try await bench.anyAssertion(with: made, extensions: ["credBlob": true])
            bench.expect(
                given.outputs["credBlob"] == .bytes([]), "an empty byte string",
                seen: words(given.outputs["credBlob"]))
        }
        blobCase("notAsked", "An assertion that does not ask for the credBlob does not give it.") { bench in
            let made = try await bench.makeAny(extensions: ["credBlob": blob], discoverable: true)
            let given = try await bench.anyAssertion(with: made)
            bench.expect(given.outputs["credBlob"] == nil, "no output", seen: "an output")
        }
        blobCase(
            "next", "Each further assertion has the credBlob of its own credential.",
            needs: [.optionOff(.plat), .optionOff(.alwaysUv)]
        ) { bench in
            let blobs: [CBOR.Value] = [[0xB4, 1], [0xB4, 2]].map { .bytes($0) }
            for blob in blobs { _ = try await bench.makeAny(extensions: ["credBlob": blob], discoverable: true) }
            let first = try bench.given(try await bench.assert(extensions: ["credBlob": true]))
            let second = try bench.given(try await bench.send(.getNextAssertion))
            for (given, blob) in [(first, blobs[1]), (second, blobs[0])] {
                bench.expect(
                    given.outputs["credBlob"] == blob, "the credBlob of the account",
                    seen: words(given.outputs["credBlob"]))
            }
        }
        blobCase("powerCycle", "A credBlob outlives a power cycle.", needs: [.powerCycle]) { bench in
            let made = try await bench.makeAny(extensions: ["credBlob": blob], discoverable: true)
            try await bench.powerCycle()
            guard try await bench.assert(silently: true, allowing: [made]).status != .noCredentials else {
                throw CaseStop.blocked("the credential is lost after the power cycle; see state.credential.powerCycle")
            }
            let given = try await bench.anyAssertion(with: made, extensions: ["credBlob": true])
            bench.expect(given.outputs["credBlob"] == blob, "the stored bytes", seen: words(given.outputs["credBlob"]))
        }
        blobCase("wrongType", "A registration with credBlob as a text is refused.") { bench in
            bench.expect(
                try await bench.makeAnyAnswer(extensions: ["credBlob": "blob"], discoverable: true),
                anyOf: RequestChange.wrongTypeStatuses)
        }
        blobCase("assertionWrongType", "An assertion with credBlob as a number is refused.") { bench in
            let made = try await bench.makeAny(discoverable: true)
            bench.expect(
                try await bench.anyAnswer(with: made, extensions: ["credBlob": 1]),
                anyOf: RequestChange.wrongTypeStatuses)
        }
        Case(
            "credBlob.declaredLength", "The answer to getInfo declares room for a credBlob of at least 32 bytes.",
            .ctap("6.4"),
            needs: [.supported("credBlob")]
        ) { bench in
            let length = bench.info.maxCredBlobLength
            bench.expect(
                (length ?? 0) >= 32, "maxCredBlobLength of 32 or more", seen: length.map { "\($0)" } ?? "no such member"
            )
        }
        Case(
            "credBlob.lengthWithoutExtension",
            "The answer to getInfo declares no length of credBlob without the extension.",
            .ctap("6.4"), needs: [.unsupported("credBlob")]
        ) { bench in
            bench.expect(bench.info.maxCredBlobLength == nil, "no maxCredBlobLength", seen: "the member")
        }
    }

    private static func blobCase(
        _ name: String, _ title: String, needs: [AuthenticatorNeed] = [],
        _ steps: @escaping @Sendable (AuthenticatorBench) async throws -> Void
    ) -> Case {
        Case(
            "credBlob.\(name)", title, .ctap("12.2"),
            needs: [.supported("credBlob"), .discoverableCredentials] + needs,
            effects: [.addsCredential], person: [.touch, .touch], steps: steps)
    }

    private static func words(_ value: CBOR.Value?) -> String { value.map { "\($0)" } ?? "no output" }

    // MARK: largeBlobKey

    @CaseTable static var largeBlobKey: [Case] {
        keyCase("registration", "A registration with largeBlobKey gives a key of 32 bytes.") {
            bench in
            let made = try await bench.makeAny(extensions: ["largeBlobKey": true], discoverable: true)
            let key = try bench.bytes(made.response, 0x05, "largeBlobKey (0x05)")
            bench.expect(key.count == 32, "32 bytes", seen: "\(key.count) bytes")
        }
        keyCase("assertion", "An assertion with largeBlobKey gives the key of the registration.") {
            bench in
            let made = try await bench.makeAny(extensions: ["largeBlobKey": true], discoverable: true)
            let given = try await bench.anyAssertion(with: made, extensions: ["largeBlobKey": true])
            bench.expect(given.response, 0x07, "largeBlobKey", made.response[0x05])
        }
        Case(
            "largeBlobKey.next", "GetNextAssertion gives the large-blob key of its credential.", .ctap("12.3"),
            needs: [.supported("largeBlobKey"), .discoverableCredentials, .optionOff(.plat)],
            effects: [.addsCredential], person: [.touch, .touch, .touch]
        ) { bench in
            let older = try await bench.makeAny(extensions: ["largeBlobKey": true], discoverable: true)
            _ = try await bench.makeAny(extensions: ["largeBlobKey": true], discoverable: true)
            var request = bench.getAssertionParameters()
            request[4] = ["largeBlobKey": true]
            request = try await bench.authorized(getAssertion: request, verified: false)
            bench.expect(try await bench.send(.getAssertion, request), .ok)
            let next = try bench.members(of: try await bench.send(.getNextAssertion))
            bench.expect(next, 0x07, "largeBlobKey", older.response[0x05])
        }
        keyCase("notInAuthData", "The large-blob key is not an output in authenticator data.") { bench in
            let made = try await bench.makeAny(extensions: ["largeBlobKey": true], discoverable: true)
            bench.expect(made.outputs["largeBlobKey"] == nil, "no output", seen: "an output")
        }
        keyCase("own", "Two credentials have two large-blob keys.") { bench in
            let first = try await bench.makeAny(extensions: ["largeBlobKey": true], discoverable: true)
            let second = try await bench.makeAny(extensions: ["largeBlobKey": true], discoverable: true)
            bench.expect(first.response[0x05] != second.response[0x05], "two keys", seen: "the same")
        }
        keyCase("notAsked", "A registration without largeBlobKey gives no key.") { bench in
            let made = try await bench.makeAny(discoverable: true)
            bench.expect(made.response, 0x05, "largeBlobKey", nil)
            let given = try await bench.anyAssertion(with: made, extensions: ["largeBlobKey": true])
            bench.expect(given.response, 0x07, "largeBlobKey", nil)
        }
        keyCase("nonDiscoverable", "A registration with largeBlobKey and without rk is refused.") {
            bench in
            bench.expect(try await bench.makeAnyAnswer(extensions: ["largeBlobKey": true]), .invalidOption)
        }
        keyCase("false", "A registration with largeBlobKey false is refused.") {
            bench in
            bench.expect(
                try await bench.makeAnyAnswer(extensions: ["largeBlobKey": false], discoverable: true),
                .invalidOption)
        }
        keyCase("wrongType", "A registration with largeBlobKey as a number is refused.") { bench in
            bench.expect(
                try await bench.makeAnyAnswer(extensions: ["largeBlobKey": 1], discoverable: true),
                anyOf: RequestChange.wrongTypeStatuses + [.invalidOption])
        }
        keyCase("assertionFalse", "An assertion with largeBlobKey false is refused.") {
            bench in
            let made = try await bench.makeAny(extensions: ["largeBlobKey": true], discoverable: true)
            bench.expect(try await bench.anyAnswer(with: made, extensions: ["largeBlobKey": false]), .invalidOption)
        }
        Case(
            "largeBlobKey.declared", "An authenticator with largeBlobKey also has large blobs.", .ctap("12.3"),
            needs: [.supported("largeBlobKey")]
        ) { bench in
            try await bench.expectOption(.largeBlobs, true)
        }
    }

    private static func keyCase(
        _ name: String, _ title: String,
        _ steps: @escaping @Sendable (AuthenticatorBench) async throws -> Void
    ) -> Case {
        Case(
            "largeBlobKey.\(name)", title, .ctap("12.3"),
            needs: [.supported("largeBlobKey"), .discoverableCredentials], effects: [.addsCredential],
            person: [.touch, .touch], steps: steps)
    }
}
