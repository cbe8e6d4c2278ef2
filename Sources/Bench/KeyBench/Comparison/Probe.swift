internal import CBOR
package import COSE
package import CTAP
internal import WebAuthn

/// A request by which devices are compared, and how its answer is read.
///
/// No probe changes a device's state: none tries or sets a PIN, writes, resets, enrols or configures anything, or makes
/// a discoverable credential.
package struct Probe: Sendable {
    /// The request to one device.
    package enum Request: Sendable {
        /// A message to send.
        case message([UInt8])
        /// Nothing, for a reason: by its earlier answers, the request is meaningless for the device or harmful.
        case nothing(String)
    }

    /// The compared parts of an answer besides its status.
    package enum Reading: Sendable {
        /// None: the rest is random or individual.
        case status
        /// The members of getInfo.
        case information
        /// The members, which do not depend on the device's state.
        case members
        /// The members, which depend on the device's state.
        case state
        /// An ECDH key without its coordinates.
        case keyAgreement
        /// A new credential.
        case credential
        /// A signature by that credential.
        case assertion
    }

    /// Its name, such as `getAssertion.unknownCredential`.
    package let name: String
    /// The request in words.
    package let sends: String
    /// The clause that determines the answer.
    package let clause: String
    /// Whether the user must touch the device.
    package let needsTouch: Bool
    /// The number of repetitions: several if its duration is compared.
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

    /// A probe that sends the same message to every device.
    init(
        _ name: String, sends: String, clause: String, needsTouch: Bool = false, repetitions: Int = 1,
        reading: Reading = .status, message: [UInt8]
    ) {
        self.init(
            name, sends: sends, clause: clause, needsTouch: needsTouch, repetitions: repetitions, reading: reading
        ) { _ in .message(message) }
    }

    /// The facts from a device's earlier responses.
    package struct Context: Sendable {
        /// The answer to getInfo; nil when it cannot be decoded.
        package var info: AuthenticatorInfo?
        /// The credential of an earlier probe.
        package var credential: MadeCredential?
    }

    /// A credential made by a probe.
    package struct MadeCredential: Sendable {
        package let id: [UInt8]
        package let publicKey: COSE.PublicKey
    }
}

/// The answer to one request.
package enum ProbeAnswer: Hashable, Sendable {
    /// The status byte and the response CBOR.
    case answer([UInt8])
    /// The device asked for a touch that it should not need; the request was cancelled.
    case askedForTouch
    /// Nothing was sent.
    case notSent(String)
    /// The transport refused the request, or the device violated its protocol.
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

/// A device's answers to one probe.
package struct ProbeResult: Sendable {
    package let probe: Probe
    /// The message; empty when none was sent.
    package let message: [UInt8]
    /// One answer for each repetition; at least one.
    package let answers: [ProbeAnswer]
    /// The duration of each exchange.
    package let durations: [Duration]
    /// The credential whose key verifies an assertion.
    let credential: Probe.MadeCredential?

    /// The median duration; nil for a probe that is sent once or waits for the user.
    package var medianDuration: Duration? {
        guard probe.repetitions > 1, !durations.isEmpty else { return nil }
        return durations.sorted()[durations.count / 2]
    }
}

/// A device's answers to every probe.
package struct DeviceAnswers: Sendable {
    package let results: [ProbeResult]

    /// The messages in hexadecimal, one line for each probe: equal for devices of one seed, over every transport.
    package var transcript: [String] {
        results.map { result in
            let answers = result.answers.map { answer in
                if case .answer(let bytes) = answer { Hex.encode(bytes) } else { "\(answer)" }
            }
            return "\(result.probe.name): \(Hex.encode(result.message)) → \(answers.joined(separator: " "))"
        }
    }

    /// The map of the answer to getInfo.
    var info: CBOR.Value? {
        results.first { if case .information = $0.probe.reading { true } else { false } }?.answers.first?.body
    }
}
