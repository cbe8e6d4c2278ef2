internal import CTAP
internal import Causes
internal import DeviceHost
internal import DeviceProfiles
internal import Documents
internal import HTTPTypes
internal import Hummingbird
internal import LoopbackHTTP
internal import SimulatedDevice
internal import VirtualAuthenticator
internal import WebAuthnClient

extension ControlOperations {
    var clients: [Operation] {
        [
            ceremony(.create, "RegistrationResponseJSON"), ceremony(.get, "AuthenticationResponseJSON"),
            onDevice(
                .post, "/pin", "setPIN", "Set or change a device's client PIN, as a platform's settings do",
                body: .object(
                    .required("newPIN", .pin),
                    .optional("currentPIN", .pin, "Required to change a PIN.")),
                answer: .outcome, mayWaitForUser: true
            ) { device, call in
                try await outcome(device) { client in
                    let pin = PINClient(
                        client, protocol: device.profile.authenticator.pinUvAuthProtocols.first ?? .one,
                        randomBytes: device.random.bytes)
                    let new = call.body["newPIN"]?.text ?? ""
                    if let current = call.body["currentPIN"]?.text {
                        try await pin.changePIN(from: current, to: new)
                    } else {
                        try await pin.setPIN(new)
                    }
                }
            },
            onDevice(
                .post, "/reset", "reset", "Erase a device with authenticatorReset, as a platform's settings do",
                answer: .outcome, mayWaitForUser: true
            ) { device, _ in try await outcome(device) { client in try await client.reset() } },
        ]
    }

    private func outcome(
        _ device: ManagedDevice, _ ask: (AuthenticatorClient) async throws -> Void
    ) async throws -> Outcome {
        do {
            try await device.reached { try await ask(AuthenticatorClient($0)) }
            return await Outcome(device)
        } catch let failure as AuthenticatorClient.Failure {
            return await Outcome(
                device, cause: Cause(failure.status.map { "\($0)" } ?? "\(failure)"),
                ctapStatus: failure.status.map { Int($0.rawValue) })
        } catch let error as CTAPDeviceError {
            return await Outcome(device, cause: Cause("\(error)"))
        }
    }

    private func ceremony(_ kind: Ceremony, _ answer: String) -> Operation {
        Operation(
            method: .post, path: "/v1/devices/{device}/ceremonies/\(kind.rawValue)", name: "\(kind.rawValue)Credential",
            summary: "navigator.credentials.\(kind.rawValue)() with this device, through Touchstone's WebAuthn client",
            tag: .ceremonies, body: CeremonyRequest.schema(kind),
            answer: .init(meaning: "The \(answer), or the page's error", content: .json(CeremonyResult.schema(answer))),
            errors: [422], mayWaitForUser: true
        ) { call in
            let device = try await device(call)
            return try await CeremonyRequest(kind, call.body).ending(with: device).response()
        }
    }
}
