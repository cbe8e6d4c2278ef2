internal import CTAP
internal import DeviceProfiles
internal import MachineTime
internal import SimulatedDevice
internal import VirtualAuthenticator
internal import WebAuthn
internal import WebAuthnClient

/// A device that cannot verify a user.
package struct UnsuitableDevice: Error, Hashable, Sendable, CustomStringConvertible {
    package let profile: String

    package var description: String {
        "\(profile) cannot verify a user, and relying parties may require it; choose another profile with --device"
    }
}

/// The simulated device of a check: its user consents, and knows the PIN that the check sets where a device needs one.
struct PartyCheckDevice: Sendable {
    private static let pin = "touchstone-2468"

    private let client: WebAuthnClient
    private let pins = PINScript()
    private let origin: Origin

    /// - Throws: ``UnsuitableDevice`` for a device that cannot verify a user, an error of the profile, or the
    ///   device's refusal of a PIN.
    init(_ profile: DeviceProfile, origin: Origin) async throws {
        guard profile.canVerifyUser else {
            throw UnsuitableDevice(profile: profile.name)
        }
        let random = SystemRandomSource()
        let device = try SimulatedDevice(profile: profile, time: SystemTime(), random: random, user: ConsentingUser())
        let authenticator = AuthenticatorClient(device.ctap)
        let options = try await authenticator.getInfo()
        if options.option(.uv) != true, options.option(.clientPin) == false {
            let pinClient = PINClient(
                authenticator, protocol: profile.authenticator.pinUvAuthProtocols.first ?? .one,
                randomBytes: random.bytes)
            try await pinClient.setPIN(Self.pin)
        }
        client = device.client(over: device.ctap, pins: pins, random: random)
        self.origin = origin
    }

    /// The device's response to creation options.
    func create(_ options: [UInt8]) async throws -> [UInt8] {
        pins.willType([Self.pin])
        return try await client.create(json: options, origin: origin)
    }

    /// The device's response to request options.
    func get(_ options: [UInt8]) async throws -> [UInt8] {
        pins.willType([Self.pin])
        return try await client.get(json: options, origin: origin)
    }
}
