internal import Biometrics
internal import DeviceHost
internal import Documents
internal import HTTPTypes
internal import Hummingbird
internal import LoopbackHTTP
internal import SimulatedDevice
internal import VirtualAuthenticator
internal import WebAuthn

extension WebDriverOperations {
    static let root = "/session/{session}/webauthn/authenticator"

    var authenticatorCommands: [Operation] {
        [
            command(
                .post, Self.root, "AddVirtualAuthenticator",
                "Add a virtual authenticator, which is a device of this server",
                body: VirtualAuthenticatorOptions.schema(isStrict: isStrict), value: .string(1...48), errors: [500]
            ) { call in try await add(call) },
            command(
                .delete, Self.root + "/{authenticator}", "RemoveVirtualAuthenticator", "Remove a virtual authenticator",
                value: doneSchema
            ) { call in
                let device = try await authenticator(call)
                await sessions.remove(device.name, of: call.parameter("session"))
                try? await fleet.stop(device.name)
                return try done
            },
            command(
                .post, Self.root + "/{authenticator}/uv", "SetUserVerified",
                "Set whether user verification succeeds",
                body: .object(Schema.Members(members: [.required("isUserVerified", .boolean)], isOpen: !isStrict)),
                value: doneSchema
            ) { call in
                try OwnNames.check(call.body)
                await setUserVerified(call.body["isUserVerified"]?.bool ?? false, on: try await authenticator(call))
                return try done
            },
        ]
    }

    /// The device named in a command's path.
    func authenticator(_ call: Call) async throws(APIError) -> ManagedDevice {
        let name = call.parameter("authenticator")
        let session = call.parameter("session")
        try await sessions.require(name, of: session)
        do {
            return try await fleet.device(name)
        } catch {
            // A client deleted it through the API.
            await sessions.remove(name, of: session)
            throw WebDriverError.invalidArgument.because("The virtual authenticator “\(name)” has been deleted.")
        }
    }

    private func add(_ call: Call) async throws -> Response {
        let session = call.parameter("session")
        try await sessions.require(session)
        let options = try VirtualAuthenticatorOptions(call.body)
        var order = DeviceStartRequest(profile: try options.deviceProfile(configuration.profiles))
        order.name = Self.newID("authenticator")
        let device: ManagedDevice
        do {
            device = try await fleet.start(order)
        } catch {
            throw WebDriverError.unknownError.because(error.message)
        }
        await device.host.person.become(options.person)
        if options.profile == nil, options.isBackedUp {
            await device.host.device.authenticator.setBackupState(ofNewCredentials: true, isConsistent: false)
        }
        guard await sessions.add(device.name, to: session) else {
            try? await fleet.stop(device.name)
            throw WebDriverError.invalidSessionID.because("The session has ended.")
        }
        return try Self.value(.text(device.name))
    }

    /// Makes verification succeed or fail; success also clears the lockouts and delays of earlier failures.
    private func setUserVerified(_ verifies: Bool, on device: ManagedDevice) async {
        var person = await device.host.person.disposition
        person.verifies = verifies
        await device.host.person.become(person)
        guard verifies else { return }
        let authenticator = device.host.device.authenticator
        _ = try? await authenticator.changeGate { gate, now in gate.refill(at: now) }
        guard let kind = await authenticator.snapshot().gate?.deviceCredential?.kind else { return }
        // Setting the credential again clears its wrong entries and the requirement to enter it.
        _ = try? await authenticator.changeGate { gate, now in gate.setDeviceCredential(kind, at: now) }
    }
}
