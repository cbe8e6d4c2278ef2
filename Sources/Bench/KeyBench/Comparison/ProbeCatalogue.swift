internal import CBOR
internal import CTAP

/// The probes by which devices are compared.
package enum ProbeCatalogue {
    /// Every probe, in the order in which they are sent.
    ///
    /// - Parameter touching: whether to include those that wait for a touch.
    package static func probes(touching: Bool) -> [Probe] {
        silent + (touching ? touched : [])
    }

    /// The probes that need no touch.
    static let silent: [Probe] = messages + assertions + registrations + pins + management

    /// A reserved name, at which no account exists (RFC 2606 §2).
    static let relyingPartyID = "touchstone.invalid"
    static let clientDataHash = [UInt8](repeating: 0xC1, count: 32)
    private static let unknownCredential: CBOR.Value = descriptor([UInt8](repeating: 0xA5, count: 32))

    static func descriptor(_ id: [UInt8]) -> CBOR.Value { ["id": .bytes(id), "type": "public-key"] }

    static func message(_ command: CTAPCommand, _ parameters: CBOR.Map? = nil) -> [UInt8] {
        [command.rawValue] + (parameters.map { CBOR.encode(.map($0)) } ?? [])
    }

    // MARK: Messages

    private static let messages: [Probe] = [
        Probe(
            "getInfo", sends: "authenticatorGetInfo", clause: "CTAP 2.3 §6.4", repetitions: 5, reading: .information,
            message: message(.getInfo)),
        Probe(
            "unknownCommand", sends: "the undefined command 0x3F", clause: "CTAP 2.3 §8.1",
            message: [0x3F]),
        Probe(
            "getNextAssertion.nonePending", sends: "authenticatorGetNextAssertion after no assertion",
            clause: "CTAP 2.3 §6.3", message: message(.getNextAssertion)),
        Probe(
            "cbor.truncated", sends: "authenticatorGetAssertion, its map cut off", clause: "CTAP 2.3 §8",
            message: [CTAPCommand.getAssertion.rawValue, 0xA2, 0x01]),
        Probe(
            "cbor.unsorted", sends: "authenticatorGetAssertion, its keys out of order", clause: "CTAP 2.3 §8",
            message: broken([(0x02, .bytes(clientDataHash)), (0x01, .text(relyingPartyID)), (0x05, ["up": false])])),
        Probe(
            "cbor.duplicateKey", sends: "authenticatorGetAssertion with a key twice", clause: "CTAP 2.3 §8",
            message: broken([
                (0x01, .text(relyingPartyID)), (0x01, .text(relyingPartyID)), (0x02, .bytes(clientDataHash)),
                (0x05, ["up": false]),
            ])),
    ]

    private static func broken(_ entries: [(Int, CBOR.Value)]) -> [UInt8] {
        let map = CBOR.Map(uncheckedEntries: entries.map { (.integer($0.0), $0.1) })
        return [CTAPCommand.getAssertion.rawValue] + CBOR.encode(.map(map), ordering: .asGiven)
    }

    // MARK: GetAssertion

    /// A request for an assertion of an unknown credential without a touch, changed in one respect.
    private static func assertion(_ change: (inout CBOR.Map) -> Void = { _ in }) -> [UInt8] {
        var map: CBOR.Map = [
            0x01: .text(relyingPartyID), 0x02: .bytes(clientDataHash), 0x03: [unknownCredential], 0x05: ["up": false],
        ]
        change(&map)
        return message(.getAssertion, map)
    }

    private static func assertion(
        _ name: String, _ sends: String, clause: String = "§6.2.2", repetitions: Int = 1,
        _ change: (inout CBOR.Map) -> Void
    ) -> Probe {
        Probe(
            "getAssertion.\(name)", sends: sends, clause: "CTAP 2.3 \(clause)", repetitions: repetitions,
            message: assertion(change))
    }

    private static let emptyAuthParam = CBOR.Value.bytes([UInt8](repeating: 0, count: 16))

    private static let assertions: [Probe] = [
        assertion("unknownCredential", "an allow list with an unknown credential, up: false", repetitions: 5) { _ in },
        assertion("unknownRelyingParty", "no allow list, an unknown relying party, up: false") { $0[0x03] = nil },
        assertion("missingParameter", "no clientDataHash") { $0[0x02] = nil },
        assertion("wrongType", "an rpId of bytes", clause: "§8") { $0[0x01] = .bytes(Array(relyingPartyID.utf8)) },
        assertion("rk", "the option rk") { $0[0x05] = ["rk": true, "up": false] },
        assertion("unknownOption", "an undefined option") { $0[0x05] = ["touchstone": true, "up": false] },
        assertion("unknownParameter", "the undefined parameter 0x7E", clause: "§8") { $0[0x7E] = true },
        assertion("authWithoutProtocol", "a pinUvAuthParam without pinUvAuthProtocol") { $0[0x06] = emptyAuthParam },
        assertion("unknownProtocol", "a pinUvAuthParam of protocol 126") {
            $0[0x06] = emptyAuthParam
            $0[0x07] = 0x7E
        },
        assertion("largeBlobKeyFalse", "the extension largeBlobKey: false", clause: "§12.3") {
            $0[0x04] = ["largeBlobKey": false]
        },
        Probe(
            "getAssertion.allowListTooLong", sends: "one credential more than maxCredentialCountInList",
            clause: "CTAP 2.3 §6.2.2"
        ) { context in
            guard let limit = context.info?.maxCredentialCountInList else {
                return .nothing("it has no maxCredentialCountInList")
            }
            let room = context.info?.maxMsgSize ?? 1024
            // A descriptor has 22 bytes. A list that exceeds maxMsgSize does not test the limit.
            guard limit < room / 22 else { return .nothing("a list this long exceeds its maxMsgSize") }
            let list = (0...limit).map { descriptor([UInt8(truncatingIfNeeded: $0)]) }
            let request = assertion { $0[0x03] = .array(list) }
            return request.count <= room ? .message(request) : .nothing("a list this long exceeds its maxMsgSize")
        },
        Probe("getAssertion.uvUnavailable", sends: "uv: true without user verification", clause: "CTAP 2.3 §6.2.2") {
            context in
            // A configured sensor would prompt, and might count the attempt.
            context.info?.option(.uv) == true || context.info == nil
                ? .nothing("it may have user verification")
                : .message(assertion { $0[0x05] = ["up": false, "uv": true] })
        },
    ]

    // MARK: MakeCredential

    /// A registration request, changed in the one respect that it must be refused for.
    static func registration(_ change: (inout CBOR.Map) -> Void) -> [UInt8] {
        var map: CBOR.Map = [
            0x01: .bytes(clientDataHash), 0x02: ["id": .text(relyingPartyID), "name": "Touchstone"],
            0x03: ["id": .bytes([0x01]), "name": "compare", "displayName": "compare"],
            0x04: [["alg": -7, "type": "public-key"]], 0x07: ["rk": false],
        ]
        change(&map)
        return message(.makeCredential, map)
    }

    private static func registration(
        _ name: String, _ sends: String, clause: String, _ change: (inout CBOR.Map) -> Void
    ) -> Probe {
        Probe(
            "makeCredential.\(name)", sends: sends, clause: "CTAP 2.3 \(clause)", message: registration(change))
    }

    private static let registrations: [Probe] = [
        registration("missingParameter", "no user", clause: "§6.1.2") { $0[0x03] = nil },
        registration("wrongType", "pubKeyCredParams that is not a list", clause: "§8") {
            $0[0x04] = ["alg": -7, "type": "public-key"]
        },
        registration("unsupportedAlgorithm", "algorithm -65000 alone", clause: "§6.1.2, step 3") {
            $0[0x04] = [["alg": -65000, "type": "public-key"]]
        },
        registration("upFalse", "up: false", clause: "§6.1.2, step 5") { $0[0x07] = ["rk": false, "up": false] },
        Probe(
            "makeCredential.rkUnsupported", sends: "rk: true without support for it", clause: "CTAP 2.3 §6.1.2, step 5"
        ) { context in
            // A device that supports it would keep the credential.
            context.info == nil || context.info?.option(.rk) == true
                ? .nothing("it may support discoverable credentials")
                : .message(registration { $0[0x07] = ["rk": true, "up": false] })
        },
        registration(
            "enterpriseAttestationValue", "enterpriseAttestation: 3, up: true", clause: "§6.1.2, step 9"
        ) { $0[0x0A] = 3 },
        registration(
            "authWithoutProtocol", "a pinUvAuthParam without pinUvAuthProtocol", clause: "§6.1.2, step 2"
        ) { $0[0x08] = emptyAuthParam },
    ]
}
