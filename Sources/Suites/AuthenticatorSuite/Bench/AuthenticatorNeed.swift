package import COSE
package import CTAP

/// A precondition of a case at an authenticator.
package enum AuthenticatorNeed: Hashable, Sendable, CustomStringConvertible {
    /// One of these versions in getInfo.
    case version([String])
    /// An option that is present, whatever its value is.
    case option(InfoOption)
    /// An option that is present and true.
    case optionOn(InfoOption)
    case optionAbsent(InfoOption)
    /// An option that is absent or false.
    case optionOff(InfoOption)
    case supported(String)
    case unsupported(String)
    case member(InfoMember)
    case algorithm(COSE.Algorithm)
    case pinProtocol(PINUVAuthProtocol)
    /// A client PIN that the bench knows or may set.
    case pin
    /// Credentials that the bench can make: with the PIN, where the authenticator demands it.
    case credentials
    /// Discoverable credentials, which the bench can make and delete.
    case discoverableCredentials
    /// A finger, face or other built-in user verification that is set up.
    case builtInVerification
    /// CTAP1.
    case u2f
    /// Requests that wait for a touch; over NFC the tap is the touch.
    case touchRequests
    /// The reports beneath CTAPHID.
    case reports
    /// The APDUs beneath CTAP over NFC.
    case apdus
    case metadata
    /// A reset over the transport of the run (CTAP 2.3 §6.6, transportsForReset).
    case reset
    /// A transport of the run that is outside transportsForReset.
    case resetElsewhere
    /// A power cycle by the bench or by a person.
    case powerCycle
    /// A user whom the bench plays, so that waiting takes no time; and enrolment, locks and faults of a simulated device.
    case simulatedDevice

    package var description: String {
        switch self {
        case .version(let versions): "the version \(versions.joined(separator: " or "))"
        case .option(let option): "the option \(option.rawValue)"
        case .optionOn(let option): "the option \(option.rawValue) with the value true"
        case .optionAbsent(let option): "no option \(option.rawValue)"
        case .optionOff(let option): "no option \(option.rawValue), or one with the value false"
        case .supported(let name): "the extension \(name)"
        case .unsupported(let name): "no extension \(name)"
        case .member(let member): "the getInfo member \(member.name)"
        case .algorithm(let algorithm): "the algorithm \(algorithm)"
        case .pinProtocol(let pinProtocol): "the PIN/UV auth protocol \(pinProtocol.rawValue)"
        case .pin: "a client PIN"
        case .credentials: "credentials"
        case .discoverableCredentials: "discoverable credentials"
        case .builtInVerification: "built-in user verification that is set up"
        case .u2f: "CTAP1/U2F"
        case .touchRequests: "requests that wait for a touch"
        case .reports: "CTAPHID"
        case .apdus: "NFC"
        case .metadata: "a metadata statement"
        case .reset: "a reset"
        case .resetElsewhere: "a transport of the run outside transportsForReset"
        case .powerCycle: "a power cycle"
        case .simulatedDevice: "a simulated device"
        }
    }
}

extension AuthenticatorNeed {
    /// CTAP2 of any version.
    package static let ctap2 = AuthenticatorNeed.version([
        "FIDO_2_0", "FIDO_2_1_PRE", "FIDO_2_1", "FIDO_2_2", "FIDO_2_3",
    ])
    package static let ctap21 = AuthenticatorNeed.version(["FIDO_2_1", "FIDO_2_2", "FIDO_2_3"])
    package static let ctap23 = AuthenticatorNeed.version(["FIDO_2_3"])
}
