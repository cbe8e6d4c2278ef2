internal import Attestation
internal import CTAP
internal import Conformance
internal import Documents

extension MetadataCases {
    /// The versions of firmware and protocol.
    @CaseTable static var versions: [Case] {
        member("authenticatorVersion", "The version is an unsigned number of 32 bits.") { bench, value in
            bench.expect(value.integer.flatMap(UInt32.init(exactly:)) != nil, "a number", seen: words(value))
        }
        member(
            "authenticatorVersion", part: "firmware", "The version is the firmware's.",
            needs: [.member(.firmwareVersion)]
        ) { bench, value in
            let firmware = bench.info.firmwareVersion ?? 0
            bench.expect(value.integer == firmware, "\(firmware)", seen: words(value))
        }
        member("upv", "Each version has a major and a minor number.") { bench, value in
            let pairs = value.array ?? []
            bench.expect(
                !pairs.isEmpty && pairs.allSatisfy { $0["major"]?.integer != nil && $0["minor"]?.integer != nil },
                "versions with major and minor", seen: words(value))
        }
        member("upv", part: "versions", "The versions are those of getInfo.", needs: [.ctap2]) { bench, value in
            let stated = (value.array ?? []).map { pair in
                "\(pair["major"]?.integer ?? -1).\(pair["minor"]?.integer ?? -1)"
            }
            let seen = MetadataStatement.versions(of: bench.info.versions).map { "\($0.major).\($0.minor)" }
            bench.expect(stated, toEqual: seen, "the versions")
        }
    }
}
