package import CTAP
package import CTAPHybrid
package import Faults
package import HybridTunnel
package import SimulatedDevice
internal import VirtualAuthenticator

extension SimulatedDevice {
    /// The age beyond which a phone takes a QR code for an old one.
    package static let longestCodeAge = Duration.seconds(300)

    /// What a phone's connections need beside the device.
    package struct PhoneWay: Sendable {
        /// The radio and the tunnels.
        let way: HybridWay
        /// Answers the commands over hybrid.
        let route: any CTAPDevice
        /// The identity that the phone gives to computers that ask for a link; nil to give none.
        let identity: PhoneIdentity?
        /// Whether the computer's adapter follows the armed fault.
        let followsAdapter: Bool
        /// Lets a time pass, for faults that delay.
        let pass: @Sendable (Duration) async throws -> Void
        /// Is called with each action of the phone before it is performed.
        let note: @Sendable (HybridAuthenticator.Action) -> Void

        package init(
            _ way: HybridWay, route: any CTAPDevice, identity: PhoneIdentity? = nil, followsAdapter: Bool = false,
            pass: @escaping @Sendable (Duration) async throws -> Void,
            note: @escaping @Sendable (HybridAuthenticator.Action) -> Void = { _ in }
        ) {
            (self.way, self.route, self.identity, self.pass, self.note) = (way, route, identity, pass, note)
            self.followsAdapter = followsAdapter
        }

        /// Whether a fault can have an effect on a scan over the way.
        package func admits(_ fault: HybridConnectionFault) -> Bool {
            switch fault {
            case .code: true
            case .adapter: followsAdapter
            case .phone(let fault): !fault.isOfLink || identity != nil
            case .tunnel: way.tunnel.hasFaults
            // The other end is another program, which sends what it likes.
            case .commandAgain: false
            }
        }

        fileprivate func noting(
            _ faults: ConnectionFaults.Connection
        ) -> @Sendable (HybridAuthenticator.Action) -> Void {
            { action in
                if case .apply(let fault) = action { faults.apply(.phone(fault)) }
                note(action)
            }
        }
    }

    /// Reads a QR code as the phone sees it, with the armed faults of codes.
    ///
    /// - Parameters:
    ///   - text: the text of the code, which begins with `FIDO:/`.
    ///   - now: the time since the Unix epoch at the phone.
    /// - Throws: ``QRError`` for a code that is none, or too old.
    package func readCode(
        _ text: String, now: Duration, faults: ConnectionFaults.Connection
    ) throws(QRError) -> QRContents {
        var code = try QRContents(text: text)
        for fault in faults.all.ofCode {
            faults.apply(.code(fault))
            code = try QRContents(text: code.text(with: fault))
        }
        try code.checkAge(at: now, limit: Self.longestCodeAge)
        return code
    }

    /// The phone's behaviour on a connection, with the armed faults of phones.
    ///
    /// - Parameter route: answers getInfo over hybrid.
    package func phoneConfiguration(
        over route: any CTAPDevice, identity: PhoneIdentity? = nil, faults: ConnectionFaults.Connection
    ) async throws(CTAPDeviceError) -> PhoneConfiguration {
        let answer = try await route.transceive([CTAPCommand.getInfo.rawValue])
        // A phone that refuses getInfo has none for the other end.
        let isInfo = answer.first == CTAPStatus.ok.rawValue
        var configuration = PhoneConfiguration(info: isInfo ? Array(answer.dropFirst()) : nil)
        configuration.identity = identity
        configuration.faults = HybridFaults(faults.all.ofPhone)
        return configuration
    }

    /// The phone scans a QR code, and answers the other end until the connection ends; a cancelled task ends it.
    ///
    /// - Parameters:
    ///   - text: the text of the code, which begins with `FIDO:/`.
    ///   - now: the time since the Unix epoch at the phone.
    /// - Returns: the reason why the connection ended.
    /// - Throws: ``DeviceRefusal`` for a device that does not scan, ``QRError`` for a code that is none or too old, and the radio's
    ///   error.
    package func scan(_ text: String, over phone: PhoneWay, now: Duration) async throws -> HybridEnd {
        try requireScanning()
        let faults = connectionFaults.begin(admitting: phone.admits)
        let code = try readCode(text, now: now, faults: faults)
        return try await withFaults(faults, in: KeyPurpose.tunnelID.derive(from: code.secret), over: phone.way) {
            try await PhoneConnection.run(
                scanned: code,
                as: try await phoneConfiguration(over: phone.route, identity: phone.identity, faults: faults),
                device: phone.route, way: phone.way, randomBytes: SystemRandomSource().bytes, pass: phone.pass,
                note: phone.noting(faults))
        }
    }

    /// The phone answers a linked computer that reaches for it, until the connection ends; a cancelled task ends it.
    ///
    /// - Throws: as ``scan(_:over:now:)``.
    package func answer(
        _ contact: TunnelContact, as identity: PhoneIdentity, over phone: PhoneWay
    ) async throws -> HybridEnd {
        try requireScanning()
        // A linked computer shows no code, names a tunnel of its own, and gets no other link.
        let faults = connectionFaults.begin { fault in
            if case .phone(let own) = fault { !own.isOfLink && phone.admits(fault) } else { false }
        }
        return try await PhoneConnection.run(
            contacted: contact, identity: identity,
            as: try await phoneConfiguration(over: phone.route, identity: identity, faults: faults),
            device: phone.route, way: phone.way, randomBytes: SystemRandomSource().bytes, pass: phone.pass,
            note: phone.noting(faults))
    }

    /// Arms the faults of the tunnel service in a tunnel during work.
    private func withFaults<Result: Sendable>(
        _ faults: ConnectionFaults.Connection, in tunnelID: [UInt8], over way: HybridWay,
        _ work: () async throws -> Result
    ) async throws -> Result {
        await way.tunnel.arm(faults.all.ofTunnel, in: tunnelID) { faults.apply(.tunnel($0)) }
        let result: Swift.Result<Result, any Error>
        do { result = .success(try await work()) } catch { result = .failure(error) }
        await way.tunnel.endFaults(in: tunnelID)
        return try result.get()
    }
}
