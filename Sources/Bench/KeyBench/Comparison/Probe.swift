internal import CBOR
package import COSE
package import CTAP
internal import WebAuthn

/// One request of the set that compares devices, and how its answer is looked at.
///
/// None changes what a device keeps: no PIN is tried or set, nothing is written, reset, enrolled or configured, and no
/// discoverable credential is made.
package struct Probe: Sendable {
    /// What to send to one device.
    package enum Request: Sendable {
        /// This message.
        case message([UInt8])
        /// Nothing, for this reason: the device's own answers say that it would make no sense, or do harm.
        case nothing(String)
    }

    /// What of an answer is compared besides its status.
    package enum Reading: Sendable {
        /// Nothing: the rest is chance, or the device's own.
        case status
        /// getInfo's members.
        case information
        /// Numbers that do not depend on the device's state.
        case members
        /// Numbers that do.
        case state
        /// An ECDH key, but not its coordinates.
        case keyAgreement
        /// A new credential.
        case credential
        /// A signature by that credential.
        case assertion
    }

    /// `getAssertion.unknownCredential`.
    package let name: String
    /// What is sent, in words.
    package let sends: String
    /// The clause that says what the answer should be.
    package let clause: String
    /// Whether a person must touch the device.
    package let needsTouch: Bool
    /// How often it is sent; several times where its duration is compared.
    package let repetitions: Int
    package let reading: Reading
    package let request: @Sendable (Context) -> Request

    init(
        _ name: String, sends: String, clause: String, needsTouch: Bool = false, repetitions: Int = 1,
        reading: Reading = .status, _ request: @escaping @Sendable (Context) -> Request
    ) {
        self.name = name
        self.sends = sends
        self.clause = clause
        self.needsTouch = needsTouch
        self.repetitions = repetitions
        self.reading = reading
        self.request = request
    }

    /// A probe that sends the same to every device.
    init(
        _ name: String, sends: String, clause: String, needsTouch: Bool = false, repetitions: Int = 1,
        reading: Reading = .status, message: [UInt8]
    ) {
        self.init(
            name, sends: sends, clause: clause, needsTouch: needsTouch, repetitions: repetitions, reading: reading
        ) { _ in .message(message) }
    }

    /// What is known of a device from its earlier answers.
    package struct Context: Sendable {
        /// What it said about itself; nil when that could not be read.
        package var info: AuthenticatorInfo?
        /// The credential it made.
        package var credential: MadeCredential?
    }

    /// A credential that a probe had made.
    package struct MadeCredential: Sendable {
        package let id: [UInt8]
        package let publicKey: COSE.PublicKey
    }
}

/// What came back from one request.
package enum ProbeAnswer: Hashable, Sendable {
    /// The status byte and the response CBOR.
    case answer([UInt8])
    /// It asked for a touch where none should be needed; the request was cancelled.
    case askedForPerson
    /// Nothing was sent.
    case notSent(String)
    /// The transport refused the request, or the device broke its rules.
    case transportError(String)

    /// The status of an answer.
    package var status: CTAPStatus? {
        if case .answer(let bytes) = self { bytes.first.map(CTAPStatus.init(rawValue:)) } else { nil }
    }

    /// The response CBOR of an answer with status OK; nil for a refusal and for an empty response.
    var body: CBOR.Value? {
        guard case .answer(let bytes) = self, status == .ok, bytes.count > 1 else { return nil }
        return try? CBOR.decode(bytes, from: 1, options: .lenient)
    }
}

/// What a device answered to one probe.
package struct ProbeResult: Sendable {
    package let probe: Probe
    /// The message that was sent; empty for none.
    package let message: [UInt8]
    /// One answer for each time it was sent; at least one.
    package let answers: [ProbeAnswer]
    /// How long each answer took.
    package let durations: [Duration]
    /// The credential that signs, for reading an assertion.
    let credential: Probe.MadeCredential?

    /// The middle of the durations; nil for a probe that is sent once, or waits for a person.
    package var medianDuration: Duration? {
        guard probe.repetitions > 1, !durations.isEmpty else { return nil }
        return durations.sorted()[durations.count / 2]
    }
}

/// What a device answered to the whole set.
package struct DeviceAnswers: Sendable {
    package let results: [ProbeResult]

    /// The conversation byte by byte, one line for each probe: two devices of one seed have the same, whatever lies
    /// between them and us.
    package var transcript: [String] {
        results.map { result in
            let answers = result.answers.map { answer in
                if case .answer(let bytes) = answer { Hex.encode(bytes) } else { "\(answer)" }
            }
            return "\(result.probe.name): \(Hex.encode(result.message)) → \(answers.joined(separator: " "))"
        }
    }

    /// The map of getInfo's answer.
    var info: CBOR.Value? {
        results.first { if case .information = $0.probe.reading { true } else { false } }?.answers.first?.body
    }
}
