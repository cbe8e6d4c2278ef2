internal import Biometrics
internal import COSE
internal import CTAP
internal import Causes

extension VirtualAuthenticator {
    /// setPIN, the first PIN (CTAP 2.3 §6.5.5.5).
    func setPIN(_ request: ClientPINRequest, _ context: CommandContext) throws(Refusal) {
        let peer = try context.require(request.keyAgreement, "keyAgreement")
        let newPinEnc = try context.require(request.newPinEnc, "newPinEnc")
        let param = try context.require(request.pinUvAuthParam, "pinUvAuthParam")
        let pinProtocol = try requireProtocol(request, context)
        try require(!state.pin.isSet, else: context.refusal(.pinAuthInvalid, .pinAlreadySet))
        let secret = try sharedSecret(with: peer, pinProtocol, context)
        try require(
            pinProtocol.verify(param, over: newPinEnc, key: secret.authenticationKey),
            else: context.refusal(.pinAuthInvalid, .pinUvAuthParamInvalid))
        keep(try newPIN(newPinEnc, pinProtocol, secret, context))
        state.pin.retries = configuration.maxPINRetries
        state.pin.mustChange = false
    }

    /// changePIN (CTAP 2.3 §6.5.5.6).
    func changePIN(_ request: ClientPINRequest, _ context: CommandContext) throws(Refusal) {
        let peer = try context.require(request.keyAgreement, "keyAgreement")
        let newPinEnc = try context.require(request.newPinEnc, "newPinEnc")
        let pinHashEnc = try context.require(request.pinHashEnc, "pinHashEnc")
        let param = try context.require(request.pinUvAuthParam, "pinUvAuthParam")
        let pinProtocol = try requireProtocol(request, context)
        try requireUsablePIN(context)
        let secret = try sharedSecret(with: peer, pinProtocol, context)
        try require(
            pinProtocol.verify(param, over: newPinEnc + pinHashEnc, key: secret.authenticationKey),
            else: context.refusal(.pinAuthInvalid, .pinUvAuthParamInvalid))
        try checkPIN(pinHashEnc, pinProtocol, secret, context)
        let pin = try newPIN(newPinEnc, pinProtocol, secret, context)
        if state.pin.mustChange, let current = state.pin.hash, constantTimeEqual(current, Self.hash(pin)) {
            throw context.refusal(.pinPolicyViolation, .pinUnchanged)
        }
        keep(pin)
        state.pin.mustChange = false
        // Tokens given for the old PIN end with it, the persistent one too.
        state.session.tokens = [:]
        state.settings.persistentToken = environment.random.bytes(32)
    }

    private func keep(_ pin: String) {
        state.pin.hash = Self.hash(pin)
        state.pin.length = pin.unicodeScalars.count
    }

    private static func hash(_ pin: String) -> [UInt8] { Array(sha256(Array(pin.utf8)).prefix(16)) }

    func requireUsablePIN(_ context: CommandContext) throws(Refusal) {
        try require(state.pin.isSet, else: context.refusal(.pinNotSet, .pinNotSet))
        try require(!state.pin.isBlocked, else: context.refusal(.pinBlocked, .pinBlocked))
        try require(!state.pin.isSoftBlocked, else: context.refusal(.pinAuthBlocked, .pinBlockedUntilPowerCycle))
    }

    /// Compares a PIN's hash; the retry counter is decremented first, so that a power cut does not restore the retry.
    func checkPIN(
        _ pinHashEnc: [UInt8], _ pinProtocol: PINUVAuthProtocol, _ secret: PINUVAuthProtocol.SharedSecret,
        _ context: CommandContext
    ) throws(Refusal) {
        state.pin.retries -= 1
        try commit()
        let presented = pinProtocol.decrypt(pinHashEnc, with: secret)
        guard let presented, let current = state.pin.hash, constantTimeEqual(presented, current) else {
            // A wrong PIN also ends the key agreement.
            state.session.keyAgreementKeys[pinProtocol] = nil
            state.pin.consecutiveMismatches += 1
            record(.pinChecked(matched: false, retriesLeft: state.pin.retries))
            try requireUsablePIN(context)
            throw context.refusal(.pinInvalid, .pinMismatch)
        }
        state.pin.retries = configuration.maxPINRetries
        state.pin.consecutiveMismatches = 0
        state.settings.uvCountSinceLastPINEntry = 0
        record(.pinChecked(matched: true, retriesLeft: state.pin.retries))
        // The right PIN restores the built-in retries too.
        if var gate = state.gate {
            record(.gate(gate.refill(at: now)))
            state.gate = gate
        }
    }

    private func newPIN(
        _ newPinEnc: [UInt8], _ pinProtocol: PINUVAuthProtocol, _ secret: PINUVAuthProtocol.SharedSecret,
        _ context: CommandContext
    ) throws(Refusal) -> String {
        guard let padded = pinProtocol.decrypt(newPinEnc, with: secret) else {
            throw context.refusal(.pinAuthInvalid, .newPINUndecipherable)
        }
        try require(padded.count == 64, else: context.refusal(.invalidParameter, .newPINPadding))
        // Drops the zero bytes at the end.
        let pin = Array(padded[..<(padded.lastIndex { $0 != 0 }.map { $0 + 1 } ?? 0)])
        guard let text = String(validating: pin, as: UTF8.self) else {
            throw context.refusal(.pinPolicyViolation, .pinPolicyViolation)
        }
        let length = text.unicodeScalars.count
        try require(
            pin.count <= configuration.maxPINLength && length >= state.pin.minimumLength,
            else: context.refusal(.pinPolicyViolation, .pinPolicyViolation))
        try require(
            !state.pin.isComplexityEnforced || Self.isComplex(text),
            else: context.refusal(.pinPolicyViolation, .pinTooSimple))
        return text
    }
}
