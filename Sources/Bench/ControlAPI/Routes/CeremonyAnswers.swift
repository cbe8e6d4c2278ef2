internal import CTAP
internal import DeviceHost
internal import Documents
internal import Hummingbird
internal import LoopbackHTTP
internal import SimulatedDevice
internal import VirtualAuthenticator
internal import WebAuthnClient

/// The user's part of a ceremony at the client, and the answer with the page's result.
struct CeremonyAnswers: Sendable {
    private let pins: [String]
    private let account: Int
    /// The passkey that the user has picked before the ceremony.
    let pickedCredentialID: [UInt8]?

    static let members: [Schema.Member] = [
        .optional(
            "pins", .array(.pin, count: 0...20), "The PINs the user enters, in order; afterwards the user cancels."),
        .optional(
            "account", .integer(1...1000), "The place of the account the user chooses among several; default: 1."),
    ]

    /// The members of a request for a passkey.
    static let membersOfGet =
        members + [
            .optional(
                "credentialId", .credentialID,
                "The ID of the passkey that the user has picked. Without it the device asks, and the user chooses `account`."
            )
        ]

    /// - Throws: `base64url.malformed`.
    init(_ body: JSONValue) throws(APIError) {
        pins = (body["pins"]?.array ?? []).compactMap(\.text)
        account = (body["account"]?.integer ?? 1) - 1
        pickedCredentialID = try body["credentialId"].map { _ throws(APIError) in try body.bytes(of: "credentialId") }
    }

    /// The result for a page.
    enum Success: Sendable {
        /// The response's JSON, which passes unread to the caller.
        case credential(json: [UInt8])
        case password(JSONValue)
    }

    /// Performs a ceremony with a client of the device, notes it, and answers with the page's result.
    func perform(
        _ ceremony: CeremonyJournal.Call, with device: ManagedDevice, _ ask: (WebAuthnClient) async throws -> Success
    ) async throws -> Response {
        let start = device.host.clock.now()
        func elapsedSeconds() -> Double { max(.zero, device.host.clock.now() - start) / .seconds(1) }
        func note(_ result: CeremonyJournal.Result, _ elapsedSeconds: Double) {
            device.ceremonies.add(
                ceremony, of: device.source, at: start / .seconds(1), elapsedSeconds: elapsedSeconds, result)
        }
        func answer(_ failure: CeremonyFailure) throws -> Response {
            let elapsedSeconds = elapsedSeconds()
            note(.failure(failure), elapsedSeconds)
            return try Reply.json(CeremonyResult(error: failure, elapsedSeconds: elapsedSeconds))
        }
        if let obstacle = device.host.device.obstacleToCeremony() {
            return try answer(CeremonyFailure(obstacle: obstacle))
        }
        let refusal = LastRefusal()
        func failure(_ error: WebAuthnClientError) throws -> Response {
            try answer(CeremonyFailure(error, deviceReason: refusal.reason))
        }
        do {
            let success = try await device.reached(hearing: refusal) { ctap in
                try await ask(
                    device.host.device.client(over: ctap, pins: PINScript(pins), random: device.random) {
                        if case .real = device.host.clock { $0.alarm = { span in try? await Task.sleep(for: span) } }
                        $0.chooseAccount = { $0.indices.contains(account) ? account : nil }
                        $0.pickedCredentialID = pickedCredentialID
                    })
            }
            let elapsedSeconds = elapsedSeconds()
            note(.success(success), elapsedSeconds)
            return Reply.json(bytes: try success.json(elapsedSeconds: elapsedSeconds))
        } catch let error as WebAuthnClientError {
            return try failure(error)
        } catch let error as CTAPDeviceError {
            return try failure(WebAuthnClientError(.notAllowedError, .deviceDisconnected, detail: "\(error)"))
        }
    }
}

extension CeremonyAnswers.Success {
    /// The page's result when the ceremony succeeds.
    fileprivate func json(elapsedSeconds: Double) throws -> [UInt8] {
        let (name, value) =
            switch self {
            case .credential(let json): ("credential", json)
            case .password(let password): ("password", try password.bytes())
            }
        return Array("{\"\(name)\":".utf8) + value + Array(",\"elapsedSeconds\":\(elapsedSeconds)}".utf8)
    }
}
