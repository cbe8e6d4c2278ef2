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

    @CaseTable static var reading: [Case] {
        Case(
            "largeBlobs.initial", "The array of large blobs is the empty one after a reset.", .ctap("6.10.1"),
            from: .freshPIN, needs: needs
        ) { bench in
            let stored = try await bench.storedBlobs()
            bench.expect(stored == LargeBlobArray.initial, "0x80 and its checksum", seen: "\(stored.count) bytes")
        }
        Case(
            "largeBlobs.checksum", "The stored array ends with the first 16 bytes of its SHA-256.", .ctap("6.10.1"),
            needs: needs
        ) { bench in
            let stored = try await bench.storedBlobs()
            bench.expect(
                stored.count >= 17 && LargeBlobArray.checked(Array(stored.dropLast(16))) == stored,
                "an array with its checksum", seen: "\(stored.count) bytes without it")
        }
        Case("largeBlobs.get.part", "A read gives the bytes from its offset.", clause, needs: needs) { bench in
            let stored = try await bench.storedBlobs()
            let part = try await bench.accept(.largeBlobs, [0x01: 5, 0x03: 3])
            bench.expect(part, 0x01, "config", .bytes(Array(stored[3..<8])))
        }
        Case("largeBlobs.get.end", "A read beyond the end gives the bytes that there are.", clause, needs: needs) {
            bench in
            let stored = try await bench.storedBlobs()
            let part = try await bench.accept(.largeBlobs, [0x01: 17, 0x03: .integer(stored.count - 4)])
            bench.expect(part, 0x01, "config", .bytes(Array(stored.suffix(4))))
        }
        Case("largeBlobs.get.atEnd", "A read at the very end gives no bytes.", clause, needs: needs) { bench in
            let stored = try await bench.storedBlobs()
            let part = try await bench.accept(.largeBlobs, [0x01: 17, 0x03: .integer(stored.count)])
            bench.expect(part, 0x01, "config", .bytes([]))
        }
        Case("largeBlobs.get.zero", "A read of no bytes gives no bytes.", clause, needs: needs) { bench in
            bench.expect(try await bench.accept(.largeBlobs, [0x01: 0, 0x03: 0]), 0x01, "config", .bytes([]))
        }
    }

    // MARK: Writing

    @CaseTable static var writing: [Case] {
        write("once", "An array that fits in one fragment is stored.") { bench, token in
            let array = LargeBlobArray.ofLength(100)
            let answer = try await bench.writeBlobs(array, token: token)
            bench.expectEmptySuccess(answer)
            try await bench.expectStored(array)
        }
        write("fragments", "An array in several fragments is stored with the last one.") { bench, token in
            let array = LargeBlobArray.ofLength(200)
            bench.expect(try await bench.writeBlobs(Array(array[..<80]), of: 200, token: token), .ok)
            try await bench.expectStored(LargeBlobArray.initial)
            bench.expect(try await bench.writeBlobs(Array(array[80..<160]), at: 80, token: token), .ok)
            bench.expect(try await bench.writeBlobs(Array(array[160...]), at: 160, token: token), .ok)
            try await bench.expectStored(array)
        }
        write("capacity", "An array of the whole capacity is stored.") { bench, token in
            let capacity = bench.info.maxSerializedLargeBlobArray ?? 1024
            let array = LargeBlobArray.ofLength(capacity)
            var offset = 0
            while offset < array.count {
                let fragment = Array(array[offset...].prefix(bench.maxFragmentLength))
                let answer = try await bench.writeBlobs(fragment, at: offset, of: capacity, token: token)
                guard bench.expect(answer, .ok) else { return }
                offset += fragment.count
            }
            try await bench.expectStored(array)
        }
        write("powerCycle", "The stored array outlives a power cycle.", needs: [.powerCycle]) { bench, token in
            let array = LargeBlobArray.ofLength(100)
            bench.expect(try await bench.writeBlobs(array, token: token), .ok)
            try await bench.powerCycle()
            try await bench.expectStored(array)
        }
        write("wrongChecksum", "An array with a wrong checksum is refused and the stored one kept.") { bench, token in
            var array = LargeBlobArray.ofLength(100)
            array[array.count - 1] ^= 1
            bench.expect(try await bench.writeBlobs(array, token: token), .integrityFailure)
            try await bench.expectStored(LargeBlobArray.initial)
        }
        write("wrongOffset", "A fragment that leaves a gap is refused.") { bench, token in
            let array = LargeBlobArray.ofLength(200)
            bench.expect(try await bench.writeBlobs(Array(array[..<80]), of: 200, token: token), .ok)
            bench.expect(try await bench.writeBlobs(Array(array[81..<160]), at: 81, token: token), .invalidSequence)
        }
        write("notBegun", "A later fragment without a first one is refused.") { bench, token in
            bench.expect(
                try await bench.writeBlobs(Array(LargeBlobArray.ofLength(100)[20...]), at: 20, token: token),
                .invalidSequence)
        }
        write("restarted", "A new first fragment starts a new write.") { bench, token in
            let array = LargeBlobArray.ofLength(100)
            bench.expect(try await bench.writeBlobs([UInt8](repeating: 9, count: 30), of: 200, token: token), .ok)
            bench.expect(try await bench.writeBlobs(array, token: token), .ok)
            try await bench.expectStored(array)
        }
        write("powerCycleEnds", "A power cycle ends an unfinished write.", needs: [.powerCycle]) { bench, token in
            let array = LargeBlobArray.ofLength(100)
            bench.expect(try await bench.writeBlobs(Array(array[..<50]), of: 100, token: token), .ok)
            try await bench.powerCycle()
            bench.expect(
                try await bench.writeBlobs(
                    Array(array[50...]), at: 50, token: try await bench.managementToken(.largeBlobWrite)),
                .invalidSequence)
        }
        write("tooLong", "An array beyond the capacity is refused.") { bench, token in
            let capacity = bench.info.maxSerializedLargeBlobArray ?? 1024
            bench.expect(
                try await bench.writeBlobs([UInt8](repeating: 0, count: 17), of: capacity + 1, token: token),
                .largeBlobStorageFull)
        }
        write("tooShort", "An array below 17 bytes is refused.") { bench, token in
            bench.expect(try await bench.writeBlobs([UInt8](repeating: 0, count: 16), token: token), .invalidParameter)
        }
        write("longFragment", "A fragment beyond the longest length is refused.") { bench, token in
            let longest = bench.maxFragmentLength
            // The request itself must fit in a message: its members take about 60 bytes more.
            bench.expect(
                try await bench.send(
                    .largeBlobs,
                    [0x02: .bytes([UInt8](repeating: 0, count: longest + 1)), 0x03: 0, 0x04: .integer(longest + 1)]),
                .invalidLength)
        }
        write("moreThanAnnounced", "A fragment beyond the announced length is refused.") { bench, token in
            let array = LargeBlobArray.ofLength(100)
            bench.expect(try await bench.writeBlobs(Array(array[..<50]), of: 60, token: token), .ok)
            bench.expect(try await bench.writeBlobs(Array(array[50...]), at: 50, token: token), .invalidParameter)
        }
        write("noToken", "A write without a token is refused while a PIN is set.") { bench, _ in
            bench.expect(try await bench.writeBlobs(LargeBlobArray.ofLength(100), token: nil), .puatRequired)
        }
        write("wrongCode", "A write whose pinUvAuthParam covers another offset is refused.") { bench, token in
            let array = LargeBlobArray.ofLength(100)
            bench.expect(try await bench.writeBlobs(Array(array[..<50]), of: 100, token: token), .ok)
            var request = bench.writeRequest(Array(array[50...]), at: 50, token: token)
            request[0x05] = bench.writeRequest(Array(array[50...]), at: 0, token: token)[0x05]
            try await bench.refuse(.largeBlobs, request, with: [.pinAuthInvalid])
        }
        write("noProtocol", "A write without a PIN/UV auth protocol is refused.") { bench, token in
            var request = bench.writeRequest(LargeBlobArray.ofLength(100), token: token)
            request[0x06] = nil
            try await bench.refuse(.largeBlobs, request, with: [.missingParameter, .invalidParameter])
        }
        write("unknownProtocol", "A write with an unknown PIN/UV auth protocol is refused.") { bench, token in
            var request = bench.writeRequest(LargeBlobArray.ofLength(100), token: token)
            request[0x06] = 0x7E
            try await bench.refuse(.largeBlobs, request, with: [.invalidParameter])
        }
        write("lengthAgain", "A later fragment that states the length again is refused.") { bench, token in
            let array = LargeBlobArray.ofLength(100)
            bench.expect(try await bench.writeBlobs(Array(array[..<50]), of: 100, token: token), .ok)
            var request = bench.writeRequest(Array(array[50...]), at: 50, token: token)
            request[0x04] = 100
            try await bench.refuse(.largeBlobs, request, with: [.invalidParameter])
        }
        write(
            "noPermission", "A write with a token without lbw is refused.",
            needs: [.optionOn(.pinUvAuthToken), .optionOff(.noMcGaPermissionsWithClientPin)]
        ) { bench, _ in
            let token = try await bench.pinToken(.getAssertion, rpID: bench.relyingPartyID)
            bench.expect(try await bench.writeBlobs(LargeBlobArray.ofLength(100), token: token), .pinAuthInvalid)
        }
        Case(
            "largeBlobs.set.unprotected", "An unprotected authenticator needs no token for a write.", clause,
            from: .noPIN, needs: needs + [.optionOff(.alwaysUv)], effects: [.changesSettings]
        ) { bench in
            let array = LargeBlobArray.ofLength(100)
            bench.expect(try await bench.writeBlobs(array, token: nil), .ok)
            try await bench.expectStored(array)
        }
    }

    /// A case that writes with a token to the array of a fresh device.
    private static func write(
        _ name: String, _ title: String, needs more: [AuthenticatorNeed] = [],
        _ steps: @escaping @Sendable (AuthenticatorBench, HeldToken?) async throws -> Void
    ) -> Case {
        Case("largeBlobs.set.\(name)", title, clause, from: .freshPIN, needs: needs + more, effects: [.changesSettings])
        { bench in try await steps(bench, try await bench.managementToken(.largeBlobWrite)) }
    }

    // MARK: Requests

    private static let refused: [(String, String, CBOR.Map, [CTAPStatus])] = [
        ("neither", "with neither get nor set", [0x03: 0], [.invalidParameter]),
        ("both", "with get and set", [0x01: 17, 0x02: .bytes([1]), 0x03: 0, 0x04: 17], [.invalidParameter]),
        ("get.noOffset", "that reads without an offset", [0x01: 17], [.invalidParameter, .missingParameter]),
        (
            "set.noOffset", "that writes without an offset", [0x02: .bytes([1]), 0x04: 17],
            [.invalidParameter, .missingParameter]
        ), ("get.length", "that reads with a length", [0x01: 17, 0x03: 0, 0x04: 17], [.invalidParameter]),
        (
            "get.param", "that reads with a pinUvAuthParam",
            [0x01: 17, 0x03: 0, 0x05: .bytes([UInt8](repeating: 0, count: 16))], [.invalidParameter]
        ),
        ("get.protocol", "that reads with a PIN/UV auth protocol", [0x01: 17, 0x03: 0, 0x06: 1], [.invalidParameter]),
        ("get.offsetBeyond", "that reads beyond the end", [0x01: 17, 0x03: 60000], [.invalidParameter]),
        ("set.noLength", "that begins a write without a length", [0x02: .bytes([1]), 0x03: 0], [.invalidParameter]),
        ("get.wrongType", "with get as a text", [0x01: "17", 0x03: 0], anyOf: RequestChange.wrongTypeStatuses),
        (
            "set.wrongType", "with set as a text", [0x02: "17", 0x03: 0, 0x04: 17],
            anyOf: RequestChange.wrongTypeStatuses
        ),
        (
            "offset.wrongType", "with an offset as a text", [0x01: 17, 0x03: "0"],
            anyOf: RequestChange.wrongTypeStatuses
        ),
    ]

    @CaseTable static var requests: [Case] {
        for (name, words, request, statuses) in refused {
            Case("largeBlobs.request.\(name)", "A request \(words) is refused.", clause, needs: needs) { bench in
                try await bench.refuse(.largeBlobs, request, with: statuses)
            }
        }
        Case("largeBlobs.request.get.tooMuch", "A read of more than a message holds is refused.", clause, needs: needs)
        { bench in
            try await bench.refuse(
                .largeBlobs, [0x01: .integer(bench.maxFragmentLength + 1), 0x03: 0], with: [.invalidLength])
        }
        Case(
            "largeBlobs.capacity", "The answer to getInfo declares a capacity of at least 1024 bytes.",
            .ctap("6.4"), needs: needs
        ) { bench in
            let capacity = bench.info.maxSerializedLargeBlobArray
            bench.expect(
                (capacity ?? 0) >= 1024, "maxSerializedLargeBlobArray of 1024 or more",
                seen: capacity.map { "\($0)" } ?? "no such member")
        }
    }

    private static let needs: [AuthenticatorNeed] = [.optionOn(.largeBlobs)]
}

extension AuthenticatorBench {
    func expectStored(_ array: [UInt8]) async throws {
        let stored = try await storedBlobs()
        expect(stored == array, "the \(array.count) bytes that were written", seen: "\(stored.count) bytes that differ")
    }
}
