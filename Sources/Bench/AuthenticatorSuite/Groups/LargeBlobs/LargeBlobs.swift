internal import CBOR
internal import CTAP
internal import Conformance

extension AuthenticatorSuite {
    /// authenticatorLargeBlobs (CTAP 2.3 §6.10).
    package static let largeBlobs = Group(
        "largeBlobs", "authenticatorLargeBlobs",
        LargeBlobCases.reading + LargeBlobCases.writing + LargeBlobCases.requests)
}

enum LargeBlobCases {
    private static let clause = Clause.ctap("6.10.2")

    // MARK: Reading

    static let reading: [AuthenticatorCase] = [
        AuthenticatorCase(
            "largeBlobs.initial", "The array of large blobs is the empty one after a reset.", .ctap("6.10.1"),
            from: .freshPIN, needs: needs
        ) { platform in
            let stored = try await platform.storedBlobs()
            platform.recorder.expect(
                stored == LargeBlobArray.initial, "0x80 and its checksum", seen: "\(stored.count) bytes")
        },
        AuthenticatorCase(
            "largeBlobs.checksum", "The stored array ends with the first 16 bytes of its SHA-256.", .ctap("6.10.1"),
            needs: needs
        ) { platform in
            let stored = try await platform.storedBlobs()
            platform.recorder.expect(
                stored.count >= 17 && LargeBlobArray.checked(Array(stored.dropLast(16))) == stored,
                "an array with its checksum", seen: "\(stored.count) bytes without it")
        },
        AuthenticatorCase(
            "largeBlobs.get.part", "A read gives the bytes from its offset.", clause, needs: needs
        ) { platform in
            let stored = try await platform.storedBlobs()
            let part = try await platform.accept(.largeBlobs, [0x01: 5, 0x03: 3])
            platform.expect(part, 0x01, "config", .bytes(Array(stored[3..<8])))
        },
        AuthenticatorCase(
            "largeBlobs.get.end", "A read beyond the end gives the bytes that there are.", clause, needs: needs
        ) { platform in
            let stored = try await platform.storedBlobs()
            let part = try await platform.accept(
                .largeBlobs, [0x01: 17, 0x03: .integer(stored.count - 4)])
            platform.expect(part, 0x01, "config", .bytes(Array(stored.suffix(4))))
        },
        AuthenticatorCase(
            "largeBlobs.get.atEnd", "A read at the very end gives no bytes.", clause, needs: needs
        ) { platform in
            let stored = try await platform.storedBlobs()
            let part = try await platform.accept(.largeBlobs, [0x01: 17, 0x03: .integer(stored.count)])
            platform.expect(part, 0x01, "config", .bytes([]))
        },
        AuthenticatorCase(
            "largeBlobs.get.zero", "A read of no bytes gives no bytes.", clause, needs: needs
        ) { platform in
            platform.expect(
                try await platform.accept(.largeBlobs, [0x01: 0, 0x03: 0]), 0x01, "config", .bytes([]))
        },
    ]

    // MARK: Writing

    static let writing: [AuthenticatorCase] = [
        write("once", "An array that fits in one fragment is stored.") {
            platform, token in
            let array = LargeBlobArray.ofLength(100)
            let answer = try await platform.writeBlobs(array, token: token)
            platform.expect(answer, [.ok])
            platform.recorder.expect(
                answer.bytes.count == 1, "an answer without members", seen: "\(answer.bytes.count - 1) bytes")
            try await platform.expectStored(array)
        },
        write("fragments", "An array in several fragments is stored with the last one.") {
            platform, token in
            let array = LargeBlobArray.ofLength(200)
            platform.expect(
                try await platform.writeBlobs(Array(array[..<80]), of: 200, token: token), [.ok])
            try await platform.expectStored(LargeBlobArray.initial)
            platform.expect(try await platform.writeBlobs(Array(array[80..<160]), at: 80, token: token), [.ok])
            platform.expect(try await platform.writeBlobs(Array(array[160...]), at: 160, token: token), [.ok])
            try await platform.expectStored(array)
        },
        write("capacity", "An array of the whole capacity is stored.") {
            platform, token in
            let capacity = platform.bench.info.maxSerializedLargeBlobArray ?? 1024
            let array = LargeBlobArray.ofLength(capacity)
            var offset = 0
            while offset < array.count {
                let fragment = Array(array[offset...].prefix(platform.maxFragmentLength))
                let answer = try await platform.writeBlobs(fragment, at: offset, of: capacity, token: token)
                guard platform.expect(answer, [.ok]) else { return }
                offset += fragment.count
            }
            try await platform.expectStored(array)
        },
        write("powerCycle", "The stored array outlives a power cycle.", needs: [.powerCycle]) { platform, token in
            let array = LargeBlobArray.ofLength(100)
            platform.expect(try await platform.writeBlobs(array, token: token), [.ok])
            try await platform.powerCycle()
            try await platform.expectStored(array)
        },
        write("wrongChecksum", "An array with a wrong checksum is refused and the stored one kept.") {
            platform, token in
            var array = LargeBlobArray.ofLength(100)
            array[array.count - 1] ^= 1
            platform.expect(try await platform.writeBlobs(array, token: token), [.integrityFailure])
            try await platform.expectStored(LargeBlobArray.initial)
        },
        write("wrongOffset", "A fragment that leaves a gap is refused.") { platform, token in
            let array = LargeBlobArray.ofLength(200)
            platform.expect(try await platform.writeBlobs(Array(array[..<80]), of: 200, token: token), [.ok])
            platform.expect(
                try await platform.writeBlobs(Array(array[81..<160]), at: 81, token: token), [.invalidSequence])
        },
        write("notBegun", "A later fragment without a first one is refused.") { platform, token in
            platform.expect(
                try await platform.writeBlobs(Array(LargeBlobArray.ofLength(100)[20...]), at: 20, token: token),
                [.invalidSequence])
        },
        write("restarted", "A new first fragment starts a new write.") { platform, token in
            let array = LargeBlobArray.ofLength(100)
            platform.expect(
                try await platform.writeBlobs([UInt8](repeating: 9, count: 30), of: 200, token: token), [.ok])
            platform.expect(try await platform.writeBlobs(array, token: token), [.ok])
            try await platform.expectStored(array)
        },
        write("powerCycleEnds", "A power cycle ends an unfinished write.", needs: [.powerCycle]) { platform, token in
            let array = LargeBlobArray.ofLength(100)
            platform.expect(try await platform.writeBlobs(Array(array[..<50]), of: 100, token: token), [.ok])
            try await platform.powerCycle()
            platform.expect(
                try await platform.writeBlobs(
                    Array(array[50...]), at: 50, token: try await platform.managementToken(.largeBlobWrite)),
                [.invalidSequence])
        },
        write("tooLong", "An array beyond the capacity is refused.") { platform, token in
            let capacity = platform.bench.info.maxSerializedLargeBlobArray ?? 1024
            platform.expect(
                try await platform.writeBlobs([UInt8](repeating: 0, count: 17), of: capacity + 1, token: token),
                [.largeBlobStorageFull])
        },
        write("tooShort", "An array below 17 bytes is refused.") { platform, token in
            platform.expect(
                try await platform.writeBlobs([UInt8](repeating: 0, count: 16), token: token), [.invalidParameter])
        },
        write("longFragment", "A fragment beyond the longest length is refused.") { platform, token in
            let longest = platform.maxFragmentLength
            // The request itself must fit in a message: its members take about 60 bytes more.
            platform.expect(
                try await platform.send(
                    .largeBlobs,
                    [0x02: .bytes([UInt8](repeating: 0, count: longest + 1)), 0x03: 0, 0x04: .integer(longest + 1)]),
                [.invalidLength])
        },
        write("moreThanAnnounced", "A fragment beyond the announced length is refused.") { platform, token in
            let array = LargeBlobArray.ofLength(100)
            platform.expect(try await platform.writeBlobs(Array(array[..<50]), of: 60, token: token), [.ok])
            platform.expect(
                try await platform.writeBlobs(Array(array[50...]), at: 50, token: token), [.invalidParameter])
        },
        write("noToken", "A write without a token is refused while a PIN is set.") { platform, _ in
            platform.expect(
                try await platform.writeBlobs(LargeBlobArray.ofLength(100), token: nil), [.puatRequired])
        },
        write("wrongCode", "A write whose pinUvAuthParam covers another offset is refused.") { platform, token in
            let array = LargeBlobArray.ofLength(100)
            platform.expect(try await platform.writeBlobs(Array(array[..<50]), of: 100, token: token), [.ok])
            var request = platform.writeRequest(Array(array[50...]), at: 50, token: token)
            request[0x05] = platform.writeRequest(Array(array[50...]), at: 0, token: token)[0x05]
            try await platform.refuse(.largeBlobs, request, with: [.pinAuthInvalid])
        },
        write("noProtocol", "A write without a PIN/UV auth protocol is refused.") { platform, token in
            var request = platform.writeRequest(LargeBlobArray.ofLength(100), token: token)
            request[0x06] = nil
            try await platform.refuse(.largeBlobs, request, with: [.missingParameter, .invalidParameter])
        },
        write("unknownProtocol", "A write with an unknown PIN/UV auth protocol is refused.") { platform, token in
            var request = platform.writeRequest(LargeBlobArray.ofLength(100), token: token)
            request[0x06] = 0x7E
            try await platform.refuse(.largeBlobs, request, with: [.invalidParameter])
        },
        write("lengthAgain", "A later fragment that states the length again is refused.") { platform, token in
            let array = LargeBlobArray.ofLength(100)
            platform.expect(try await platform.writeBlobs(Array(array[..<50]), of: 100, token: token), [.ok])
            var request = platform.writeRequest(Array(array[50...]), at: 50, token: token)
            request[0x04] = 100
            try await platform.refuse(.largeBlobs, request, with: [.invalidParameter])
        },
        write(
            "noPermission", "A write with a token without lbw is refused.",
            needs: [.optionOn(.pinUvAuthToken), .optionOff(.noMcGaPermissionsWithClientPin)]
        ) { platform, _ in
            let token = try await platform.pinToken(.getAssertion, rpID: platform.rpID)
            platform.expect(
                try await platform.writeBlobs(LargeBlobArray.ofLength(100), token: token), [.pinAuthInvalid])
        },
        AuthenticatorCase(
            "largeBlobs.set.unprotected", "An unprotected authenticator needs no token for a write.", clause,
            from: .noPIN, needs: needs + [.optionOff(.alwaysUv)], effects: [.changesSettings]
        ) { platform in
            let array = LargeBlobArray.ofLength(100)
            platform.expect(try await platform.writeBlobs(array, token: nil), [.ok])
            try await platform.expectStored(array)
        },
    ]

    /// A case that writes with a token to the array of a fresh device.
    private static func write(
        _ name: String, _ title: String, needs more: [AuthenticatorNeed] = [],
        _ steps: @escaping @Sendable (Platform, HeldToken?) async throws -> Void
    ) -> AuthenticatorCase {
        AuthenticatorCase(
            "largeBlobs.set.\(name)", title, clause, from: .freshPIN, needs: needs + more,
            effects: [.changesSettings]
        ) { platform in
            try await steps(platform, try await platform.managementToken(.largeBlobWrite))
        }
    }

    // MARK: Requests

    private static let refused: [(String, String, CBOR.Map, [CTAPStatus])] = [
        ("neither", "with neither get nor set", [0x03: 0], [.invalidParameter]),
        ("both", "with get and set", [0x01: 17, 0x02: .bytes([1]), 0x03: 0, 0x04: 17], [.invalidParameter]),
        ("get.noOffset", "that reads without an offset", [0x01: 17], [.invalidParameter, .missingParameter]),
        (
            "set.noOffset", "that writes without an offset", [0x02: .bytes([1]), 0x04: 17],
            [.invalidParameter, .missingParameter]
        ),
        ("get.length", "that reads with a length", [0x01: 17, 0x03: 0, 0x04: 17], [.invalidParameter]),
        (
            "get.param", "that reads with a pinUvAuthParam",
            [0x01: 17, 0x03: 0, 0x05: .bytes([UInt8](repeating: 0, count: 16))], [.invalidParameter]
        ),
        ("get.protocol", "that reads with a PIN/UV auth protocol", [0x01: 17, 0x03: 0, 0x06: 1], [.invalidParameter]),
        ("get.offsetBeyond", "that reads beyond the end", [0x01: 17, 0x03: 60000], [.invalidParameter]),
        ("set.noLength", "that begins a write without a length", [0x02: .bytes([1]), 0x03: 0], [.invalidParameter]),
        ("get.wrongType", "with get as a text", [0x01: "17", 0x03: 0], RequestChange.wrongTypeStatuses),
        ("set.wrongType", "with set as a text", [0x02: "17", 0x03: 0, 0x04: 17], RequestChange.wrongTypeStatuses),
        ("offset.wrongType", "with an offset as a text", [0x01: 17, 0x03: "0"], RequestChange.wrongTypeStatuses),
    ]

    static let requests: [AuthenticatorCase] =
        refused.map { name, words, request, statuses in
            AuthenticatorCase(
                "largeBlobs.request.\(name)", "A request \(words) is refused.", clause, needs: needs
            ) { platform in
                try await platform.refuse(.largeBlobs, request, with: statuses)
            }
        } + [
            AuthenticatorCase(
                "largeBlobs.request.get.tooMuch", "A read of more than a message holds is refused.", clause,
                needs: needs
            ) { platform in
                try await platform.refuse(
                    .largeBlobs, [0x01: .integer(platform.maxFragmentLength + 1), 0x03: 0], with: [.invalidLength])
            },
            AuthenticatorCase(
                "largeBlobs.capacity", "The answer to getInfo declares a capacity of at least 1024 bytes.",
                .ctap("6.4"), needs: needs
            ) { platform in
                let capacity = platform.bench.info.maxSerializedLargeBlobArray
                platform.recorder.expect(
                    (capacity ?? 0) >= 1024, "maxSerializedLargeBlobArray of 1024 or more",
                    seen: capacity.map { "\($0)" } ?? "no such member")
            },
        ]

    private static let needs: [AuthenticatorNeed] = [.optionOn(.largeBlobs)]
}

extension Platform {
    /// Notes a deviation unless the stored array of large blobs is this one.
    func expectStored(_ array: [UInt8]) async throws {
        let stored = try await storedBlobs()
        recorder.expect(
            stored == array, "the \(array.count) bytes that were written", seen: "\(stored.count) bytes that differ")
    }
}
