internal import Attestation
internal import COSE
public import CTAP
internal import WebAuthn

extension VirtualAuthenticator: U2FDevice {
    /// The time one request waits for a touch; U2F clients poll instead of waiting.
    private static let touchWait = Duration.milliseconds(500)

    /// Answers a U2F message over an unnamed transport.
    public func answerU2F(_ apdu: [UInt8]) async -> [UInt8] { await answerU2F(apdu, RequestContext()) }

    func answerU2F(_ apdu: [UInt8], _ context: RequestContext) async -> [UInt8] {
        // One request at a time, whichever protocol it speaks.
        await exclusively { await self.serveU2F(apdu, context) } ?? U2FStatus.conditionsNotSatisfied.bytes
    }

    private func serveU2F(_ apdu: [UInt8], _ context: RequestContext) async -> [UInt8] {
        state.session.pendingAssertions = nil
        state.session.pendingEnumerations = PendingEnumerations()
        var status = U2FStatus.noError
        var data: [UInt8] = []
        do {
            data = try await carryOutU2F(U2FRequest(parsing: apdu), context)
        } catch {
            status = error
        }
        do {
            try commit()
        } catch {
            data = []
            status = .unknown
            record(.answer(CTAPCommand(rawValue: 0), error.status, error))
        }
        record(.u2f(apdu.count > 1 ? U2FInstruction(rawValue: apdu[1]) : nil, status))
        return data + status.bytes
    }

    private func carryOutU2F(_ request: U2FRequest, _ context: RequestContext) async throws(U2FStatus) -> [UInt8] {
        guard let instruction = U2FInstruction(rawValue: request.instruction) else { throw .insNotSupported }
        // Always-require-UV switches U2F off (CTAP 2.3 §7.2).
        guard isU2FAvailable else { throw .commandNotAllowed }
        switch instruction {
        case .version:
            guard request.data.isEmpty else { throw .wrongLength }
            return Array("U2F_V2".utf8)
        case .register: return try await registerU2F(request.data, context)
        case .authenticate: return try await authenticateU2F(request, context)
        }
    }

    /// Registration: challenge parameter (32) ‖ application parameter (32) → 0x05 ‖ public key (65) ‖ key handle
    /// length (1) ‖ key handle ‖ certificate ‖ signature (FIDO U2F Raw Message Formats 1.2 §4).
    private func registerU2F(_ data: [UInt8], _ context: RequestContext) async throws(U2FStatus) -> [UInt8] {
        guard data.count == 64 else { throw .wrongLength }
        let challenge = Array(data[..<32])
        let application = Array(data[32...])
        guard await wasTouched(context) else { throw .conditionsNotSatisfied }
        guard let privateKey = try? COSE.PrivateKey.generate(.es256, randomBytes: environment.random.bytes)
        else { throw .unknown }
        let point = privateKey.publicKey.rawRepresentation
        func credential(id: [UInt8]) -> StoredCredential {
            StoredCredential(
                id: id, relyingPartyID: Self.label(application), relyingPartyIDHash: application,
                user: PublicKeyCredentialUserEntity(id: []), isDiscoverable: false, isBackupEligible: false,
                isBackedUp: false, protection: .userVerificationOptional, privateKey: privateKey)
        }
        guard
            let handle = SealedCredential.seal(
                credential(id: []), under: state.settings.sealingKey, nonce: environment.random.bytes(12)),
            let attestation = try? u2fAttestation(over: [0x00] + application + challenge + handle + point)
        else { throw .unknown }
        record(.credentialCreated(relyingPartyID: Self.label(application), discoverable: false))
        return [0x05] + point + [UInt8(handle.count)] + handle + attestation.certificate + attestation.signature
    }

    private func u2fAttestation(over message: [UInt8]) throws -> (certificate: [UInt8], signature: [UInt8]) {
        var maker = try modelAttestation()
        let flaw = armedAttestationFlaw.flatMap { $0.description.kinds.contains(.fidoU2F) ? $0 : nil }
        maker.flaw = flaw
        let attestation = try maker.u2fRegistration(over: message)
        if let flaw { countDownU2FRegistration(flaw: flaw) }
        return attestation
    }

    /// Authentication: challenge parameter (32) ‖ application parameter (32) ‖ key handle length (1) ‖ key handle →
    /// user presence (1) ‖ counter (4) ‖ signature (FIDO U2F Raw Message Formats 1.2 §5).
    private func authenticateU2F(_ request: U2FRequest, _ context: RequestContext) async throws(U2FStatus) -> [UInt8] {
        guard let control = U2FControl(rawValue: request.parameter) else { throw .wrongData }
        let data = request.data
        guard data.count >= 65, data.count == 65 + Int(data[64]) else { throw .wrongLength }
        let challenge = Array(data[..<32])
        let application = Array(data[32..<64])
        guard let credential = u2fCredential(Array(data[65...]), application: application) else { throw .wrongData }
        var isPresent = false
        switch control {
        case .checkOnly: throw .conditionsNotSatisfied
        case .enforceUserPresence:
            guard await wasTouched(context) else { throw .conditionsNotSatisfied }
            isPresent = true
        case .doNotEnforceUserPresence: break
        }
        let presence: [UInt8] = [isPresent ? 0x01 : 0x00]
        let count = nextSignCount(of: credential)
        faultMemory.note(count, of: credential.id)
        let counter = (0..<4).map { UInt8(truncatingIfNeeded: count >> (24 - 8 * $0)) }
        guard
            let signature = try? credential.privateKey.sign(
                application + presence + counter + challenge,
                mode: environment.signing.possible(for: credential.privateKey.algorithm))
        else { throw .unknown }
        record(.credentialUsed(relyingPartyID: credential.relyingPartyID, userVerified: false))
        return presence + counter + signature
    }

    /// The credential of a key handle; one that demands user verification does not show itself (CTAP 2.3 §12.1).
    private func u2fCredential(_ handle: [UInt8], application: [UInt8]) -> StoredCredential? {
        let kept = state.credentials.credential(handle).flatMap { $0.relyingPartyIDHash == application ? $0 : nil }
        let credential =
            kept
            ?? openedCredentials.open(
                handle, relyingPartyID: Self.label(application), relyingPartyIDHash: application,
                under: state.settings.sealingKey)
        guard let credential, credential.privateKey.algorithm == .es256,
            credential.protection.admits(isNamed: true, userVerified: false)
        else { return nil }
        return credential
    }

    private func wasTouched(_ context: RequestContext) async -> Bool {
        if countsTaps(context) {
            let answer = await takeTap()
            record(.presenceAnswered(answer))
            return answer == .confirmed
        }
        let prompt = PresencePrompt(
            command: CTAPCommand(rawValue: 0), relyingPartyID: nil, isLongTouch: false, deadline: now + Self.touchWait)
        let powerCyclesBefore = powerCycles
        record(.presenceAsked(prompt))
        let answer = await environment.user.confirm(prompt)
        record(.presenceAnswered(answer))
        return answer == .confirmed && powerCycles == powerCyclesBefore && !Task.isCancelled
    }

    /// The substitute for the RP ID, which U2F does not transmit.
    private static func label(_ application: [UInt8]) -> String { Hex.encode(application) }
}
