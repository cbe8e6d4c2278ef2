import Conformance
import Testing

/// Devices with one fault each: the cases of the fault's clause find it, and no other case of its group does.
struct FaultTests {
    /// A fault, the cases to run, and those that find it.
    struct Row: Sendable, CustomTestStringConvertible {
        let fault: String
        let run: [String]
        let found: [String]

        var testDescription: String { fault }
    }

    private static let data = [
        "makeCredential.flags", "makeCredential.data", "makeCredential.rpIdHash", "makeCredential.aaguid",
        "makeCredential.credentialID", "getAssertion.flags", "getAssertion.rpIdHash", "getAssertion.data",
        "getAssertion.length",
    ]
    private static let signing = [
        "getAssertion.signature", "getAssertion.counter", "getAssertion.credential", "getAssertion.discovered",
        "attestation.default", "attestation.packed", "makeCredential.fmt",
    ]
    private static let encoding = ["cbor.getInfo", "cbor.largeBlobs", "getInfo.versions", "getInfo.unknownMembers"]
    private static let packets = [
        "hid.init", "hid.ping.1", "hid.ping.256", "hid.cbor.getInfo", "hid.keepalive", "hid.busy",
    ]

    static let rows = [
        Row(fault: "rp-id-hash", run: data, found: ["makeCredential.rpIdHash", "getAssertion.rpIdHash"]),
        Row(fault: "up-clear", run: data, found: ["makeCredential.flags.up", "getAssertion.flags.up"]),
        Row(fault: "uv-clear", run: data, found: ["makeCredential.flags.uv", "getAssertion.flags.uv"]),
        Row(
            fault: "uv-claimed", run: data,
            found: ["getAssertion.flags.withoutVerification", "makeCredential.flags.withoutVerification"]),
        Row(fault: "bs-without-be", run: data, found: ["makeCredential.flags.backup", "getAssertion.flags.backup"]),
        Row(fault: "be-flipped", run: data, found: ["getAssertion.flags.backupEligible"]),
        Row(fault: "at-set", run: data, found: ["getAssertion.data"]),
        Row(fault: "aaguid", run: data, found: ["makeCredential.aaguid"]),
        Row(fault: "extension-unsolicited", run: data, found: ["makeCredential.flags.ed"]),
        Row(
            fault: "trailing-bytes", run: ["makeCredential.data", "selection"],
            found: ["makeCredential.data.form"]),
        Row(
            fault: "point-off-curve", run: ["makeCredential.data", "makeCredential.flags"],
            found: ["makeCredential.data.key"]),
        Row(fault: "signature", run: ["getAssertion.signature"], found: ["getAssertion.signature"]),
        Row(fault: "signature-ber", run: ["getAssertion.signature"], found: ["getAssertion.signature"]),
        Row(fault: "counter-stuck", run: signing, found: ["getAssertion.counter.increases"]),
        Row(
            fault: "user-handle", run: signing,
            found: ["getAssertion.discovered.userHandle", "getAssertion.discovered.longestUserHandle"]),
        Row(fault: "credential-id", run: signing, found: ["getAssertion.credential", "getAssertion.discovered"]),
        Row(fault: "statement-signature", run: signing, found: ["attestation.default"]),
        Row(
            fault: "statement-algorithm", run: signing,
            found: ["attestation.default", "attestation.packed.selfAlgorithm"]),
        Row(fault: "members-reordered", run: encoding, found: ["cbor.getInfo.response"]),
        Row(fault: "wrong-type", run: ["getInfo.versions.type", "getInfo.aaguid"], found: ["getInfo.versions.type"]),
        Row(fault: "member-extra", run: encoding, found: ["getInfo.unknownMembers"]),
        Row(
            fault: "status-swapped:UNSUPPORTED_ALGORITHM=OTHER", run: ["makeCredential.algorithms"],
            found: [
                "makeCredential.algorithms.empty", "makeCredential.algorithms.unknownType",
                "makeCredential.algorithms.unsupported",
            ]),
        Row(
            fault: "status-swapped:KEEPALIVE_CANCEL=OTHER", run: ["selection"], found: ["selection.cancel"]),
        Row(
            fault: "sequence-wrong", run: packets,
            found: ["hid.ping.256", "hid.cbor.getInfo"]),
        Row(fault: "init-while-busy", run: packets, found: ["hid.busy.initOtherChannel"]),
    ]

    @Test(arguments: rows)
    func theCasesOfTheClauseFindTheFault(row: Row) async throws {
        let results = try await Authenticator.results(
            "security-key-complete", faults: [row.fault], identifiers: row.run)
        let found = results.values.filter { $0.verdict == .failed || $0.verdict == .warning }.map(\.id).sorted()
        #expect(found == row.found.sorted())
        #expect(results.values.contains { $0.verdict == .passed } || results.count == 1)
    }

    /// A key that waits without telling: each case that needs its keepalives finds it.
    @Test func missingKeepalivesAreFound() async throws {
        let results = try await Authenticator.results(
            "security-key-complete", faults: ["keepalive-silence"], identifiers: ["hid.keepalive"])
        #expect(results.values.allSatisfy { $0.verdict == .failed })
    }
}
