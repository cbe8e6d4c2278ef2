internal import CTAP
internal import DeviceHost
internal import DeviceProfiles
internal import Documents
internal import Hummingbird
internal import LoopbackHTTP
internal import PlatformErrors
internal import SimulatedDevice
internal import VirtualAuthenticator
internal import WebAuthnClient

/// A ceremony at a device's client with the user's answers, and the answer with the page's result.
extension CeremonyAnswers {
    enum Success: Sendable {
        /// The response's JSON, which passes unread to the caller.
        case credential(json: [UInt8])
        case password(JSONValue)
    }

    struct Ending: Sendable {
        let result: CeremonyJournal.Result
        /// The errors that an app gets for a failure.
        let faces: [PlatformError]
        /// The time that it took on the device's clock.
        let elapsedSeconds: Double
    }

    /// Performs a ceremony with a client of the device, and notes it.
    func perform(
        _ ceremony: CeremonyJournal.Call, with device: ManagedDevice, _ ask: (WebAuthnClient) async throws -> Success
    ) async throws -> Ending {
        // A page that is left gives its request up, and the next page may ask before the device has ended it.
        await device.ceremonies.waitForGivenUp(on: device.source)
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
            var faces: [PlatformError] = []
            if case .failure(let failure) = result {
                faces = device.profile.platformErrors.errors(
                    of: failure.cause, reachingCallerDuring: begun.kind == .create ? .create : .get)
            }
            return Ending(result: result, faces: faces, elapsedSeconds: elapsedSeconds)
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
                try await withTaskCancellationHandler {
                    guard !Task.isCancelled else { throw WebAuthnClientError(.abortError, .clientAborted) }
                    return try await device.reached(hearing: events) { ctap in
                        try await ask(
                            device.host.device.client(over: ctap, pins: script, random: device.random) {
                                if case .real = device.host.clock { $0.alarm = { try? await Task.sleep(for: $0) } }
                                $0.pickedCredentialID = pickedCredentialID
                            })
                    }
                } onCancel: {
                    device.ceremonies.giveUp(number)
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
        case .failure(let error):
            try Reply.json(CeremonyResult(error: error, faces: faces, elapsedSeconds: elapsedSeconds))
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
