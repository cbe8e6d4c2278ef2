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
    /// The place of the account that the user chooses; nil for the user's own acts.
    private let account: Int?
    /// The passkey that the user has picked before the ceremony.
    let pickedCredentialID: [UInt8]?

    static let pinsName = "pins"

    static let members: [Schema.Member] = [
        .optional(
            pinsName, .array(.pin, count: 0...20),
            """
            The PINs the user enters, in order; afterwards the user cancels. One that the device does not ask for is \
            among the person's ignored acts.
            """
        ),
        .optional(
            "account", .integer(1...1000),
            """
            The place of the account the user chooses among several; default: that of the user's acts, and 1. A choice \
            that the device does not ask for is among the person's ignored acts.
            """
        ),
    ]

    /// The members of a request for a passkey.
    static let membersOfGet =
        members + [
            .optional(
                "credentialId", .credentialID,
                "The ID of the passkey that the user has picked, in place of `account`. Without it the device asks, and the user chooses."
            )
        ]

    /// - Throws: `base64url.malformed`, `member.idle`.
    init(_ body: JSONValue) throws(APIError) {
        guard body["account"] == nil || body["credentialId"] == nil else {
            throw .idleMember(
                "account", "has no effect beside “credentialId”, which names the passkey; leave one of them out")
        }
        pins = (body[Self.pinsName]?.array ?? []).compactMap(\.text)
        account = body["account"]?.integer.map { $0 - 1 }
        pickedCredentialID = try body["credentialId"].map { _ throws(APIError) in try body.bytes(of: "credentialId") }
    }

    /// The user's part in a body, as members of another one.
    static func members(of body: JSONValue) -> [String: JSONValue] {
        (body.object ?? [:]).filter { name, _ in members.contains { $0.name == name } }
    }

    enum Success: Sendable {
        /// The response's JSON, which passes unread to the caller.
        case credential(json: [UInt8])
        case password(JSONValue)
    }

    struct Ending: Sendable {
        let result: CeremonyJournal.Result
        /// The time that it took on the device's clock.
        let elapsedSeconds: Double
    }

    /// Performs a ceremony with a client of the device, and notes it.
    func perform(
        _ ceremony: CeremonyJournal.Call, with device: ManagedDevice, _ ask: (WebAuthnClient) async throws -> Success
    ) async throws -> Ending {
        let start = device.host.clock.now()
        var call = ceremony
        call.accounts = call.accounts(among: await device.host.device.authenticator.keptCredentials)
        let (events, begun) = (CeremonyEvents(), call)
        let number = device.ceremonies.begin(begun, of: device.source)
        defer { device.ceremonies.finish(number) }
        func end(_ result: CeremonyJournal.Result) -> Ending {
            let elapsedSeconds = max(.zero, device.host.clock.now() - start) / .seconds(1)
            device.ceremonies.add(
                begun, of: device.source, at: start / .seconds(1), elapsedSeconds: elapsedSeconds, acts: events.acts,
                result)
            return Ending(result: result, elapsedSeconds: elapsedSeconds)
        }
        let script = PINScript(pins)
        await device.host.person.take(account: account)
        func noteIdleAnswers() async {
            if let choice = await device.host.person.take(account: nil) { device.ignored.add(choice) }
            for number in (pins.count - script.count)..<pins.count {
                device.ignored.add(IgnoredAct(idlePIN: number + 1))
            }
        }
        if let obstacle = device.host.device.obstacleToCeremony() {
            await noteIdleAnswers()
            return end(.failure(CeremonyFailure(obstacle: obstacle)))
        }
        func failure(_ error: WebAuthnClientError) -> Ending {
            end(.failure(CeremonyFailure(error, after: events)))
        }
        let result: Result<Success, any Error>
        do {
            result = .success(
                try await device.reached(hearing: events) { ctap in
                    try await ask(
                        device.host.device.client(over: ctap, pins: script, random: device.random) {
                            if case .real = device.host.clock { $0.alarm = { try? await Task.sleep(for: $0) } }
                            $0.pickedCredentialID = pickedCredentialID
                        })
                })
        } catch {
            result = .failure(error)
        }
        await noteIdleAnswers()
        do {
            return end(.success(try result.get()))
        } catch let error as WebAuthnClientError {
            return failure(error)
        } catch let error as CTAPDeviceError {
            return failure(WebAuthnClientError(.notAllowedError, .deviceDisconnected, detail: "\(error)"))
        }
    }
}

extension CeremonyAnswers.Ending {
    func response() throws -> Response {
        switch result {
        case .failure(let error): try Reply.json(CeremonyResult(error: error, elapsedSeconds: elapsedSeconds))
        case .success(let success):
            Reply.json(
                bytes: Array("{\"\(success.name)\":".utf8) + (try success.json())
                    + Array(",\"elapsedSeconds\":\(elapsedSeconds)}".utf8))
        }
    }
}

extension CeremonyAnswers.Success {
    /// The member of an answer.
    fileprivate var name: String {
        switch self {
        case .credential: "credential"
        case .password: "password"
        }
    }

    func json() throws -> [UInt8] {
        switch self {
        case .credential(let json): json
        case .password(let password): try password.bytes()
        }
    }
}
