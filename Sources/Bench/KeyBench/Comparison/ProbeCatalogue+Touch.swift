internal import CBOR
internal import CTAP

extension ProbeCatalogue {
    /// The probes that wait for a touch.
    ///
    /// The credential is not discoverable and exists in its ID alone: only the device's signature counter changes.
    static let touched: [Probe] = [
        Probe(
            "selection", sends: "authenticatorSelection", clause: "CTAP 2.3 §6.9", needsTouch: true,
            message: message(.selection)),
        Probe(
            "makeCredential.emptyAuth", sends: "an empty pinUvAuthParam", clause: "CTAP 2.3 §6.1.2, step 1",
            needsTouch: true
        ) { context in
            unlessItKeepsAll(
                context,
                registration {
                    $0[0x08] = .bytes([])
                    $0[0x09] = .integer(context.info?.pinUvAuthProtocols?.first ?? 1)
                })
        },
        Probe(
            "makeCredential", sends: "a registration: ES256, rk: false", clause: "CTAP 2.3 §6.1.2", needsTouch: true,
            reading: .credential
        ) { context in
            unlessItKeepsAll(context, registration { _ in })
        },
        Probe(
            "getAssertion", sends: "an assertion by that credential", clause: "CTAP 2.3 §6.2.2", needsTouch: true,
            reading: .assertion
        ) { context in assertion(by: context.credential, up: true) },
        Probe(
            "getAssertion.upFalse", sends: "an assertion by that credential, up: false", clause: "CTAP 2.3 §6.2.2",
            repetitions: 3, reading: .assertion
        ) { context in assertion(by: context.credential, up: false) },
    ]

    private static func assertion(by credential: Probe.MadeCredential?, up: Bool) -> Probe.Request {
        guard let credential else { return .nothing("it made no credential") }
        var map: CBOR.Map = [
            0x01: .text(relyingPartyID), 0x02: .bytes(clientDataHash), 0x03: [descriptor(credential.id)],
        ]
        if !up { map[0x05] = ["up": false] }
        return .message(message(.getAssertion, map))
    }

    /// Built-in devices keep every credential, discoverable or not.
    private static func unlessItKeepsAll(_ context: Probe.Context, _ message: [UInt8]) -> Probe.Request {
        context.info?.option(.plat) == true
            ? .nothing("a built-in device would keep the credential") : .message(message)
    }
}
