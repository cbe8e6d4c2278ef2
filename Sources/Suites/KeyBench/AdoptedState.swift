package import CTAP
internal import SecurityKeys

extension BenchDevice {
    /// Puts a new virtual device into the state of another one, so that only their models differ.
    ///
    /// - Returns: the states that it took over, in words; empty for a device that is not virtual.
    package func adopt(stateOf info: AuthenticatorInfo) async throws -> [String] {
        guard isSimulated else { return [] }
        return try await withKey(by: .direct) { key in
            // The comparison shows a device without an answer to getInfo.
            guard let own = try? await key.info() else { return [] }
            var (pin, adopted): (String?, [String]) = (nil, [])
            do throws(SecurityKeyError) {
                if info.option(.clientPin) == true, own.option(.clientPin) == false {
                    let new = Self.pin(ofLength: max(own.minPINLength ?? 4, info.minPINLength ?? 4, 8))
                    try await key.setPIN(new)
                    pin = new
                    adopted.append("a PIN")
                }
                if let alwaysUv = info.option(.alwaysUv), own.option(.alwaysUv) == !alwaysUv {
                    try await key.toggleAlwaysUV(pin: pin)
                    adopted.append("alwaysUv \(alwaysUv ? "on" : "off")")
                }
                if info.option(.ep) == true, own.option(.ep) == false {
                    try await key.enableEnterpriseAttestation(pin: pin)
                    adopted.append("enterprise attestation")
                }
                if let length = info.minPINLength, length > own.minPINLength ?? 4,
                    own.option(.setMinPINLength) == true
                {
                    try await key.setMinimumPINLength(length, pin: pin)
                    adopted.append("minPINLength \(length)")
                }
                // The key gives no token afterwards.
                if info.forcePINChange == true, own.forcePINChange != true, pin != nil {
                    try await key.forcePINChange(pin: pin)
                    adopted.append("a PIN that must be changed")
                }
            } catch {
                // The comparison names the rows that depend on a state in which the devices still differ.
                if case .device = error { throw error }
            }
            return adopted
        }
    }

    /// A PIN that policies against simple PINs allow.
    private static func pin(ofLength length: Int) -> String {
        String(String(repeating: "73918462", count: length / 8 + 1).prefix(length))
    }
}
