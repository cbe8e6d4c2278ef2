public import Foundation
internal import SimulatedDevice

#if canImport(Security)
public import Security
#endif

/// The shape of `SecAccessControl`: the times at which an item is available, and the verification that opens it.
public final class SimulatedSecAccessControl: Hashable, Sendable {
    let accessible: KeychainAccessible
    let access: SecureStorage.Access
    /// Whether the item also needs a password of the app.
    let needsPassword: Bool
    /// Whether it allows the use of a key of the Secure Enclave.
    let allowsKeyUsage: Bool

    init(_ accessible: KeychainAccessible, _ flags: SecAccessControlCreateFlags) throws(KeychainProblem) {
        self.accessible = accessible
        access = try Self.access(of: flags)
        needsPassword = flags.contains(.applicationPassword)
        allowsKeyUsage = flags.contains(.privateKeyUsage)
    }

    /// Whether two access controls have the same effect.
    public static func == (first: SimulatedSecAccessControl, second: SimulatedSecAccessControl) -> Bool {
        first.accessible == second.accessible && first.access == second.access
            && first.needsPassword == second.needsPassword
    }

    /// Hashes the effect.
    public func hash(into hasher: inout Hasher) {
        hasher.combine(accessible)
        hasher.combine(access)
    }

    /// The verification that constraints ask for.
    ///
    /// The simulation has no companion: where one would suffice, it is left out.
    private static func access(of flags: SecAccessControlCreateFlags) throws(KeychainProblem) -> SecureStorage.Access {
        let companion = SecAccessControlCreateFlags(rawValue: 1 << 5)
        var flags = flags.subtracting([.applicationPassword, .privateKeyUsage])
        if flags.contains(companion), flags.contains(.or) {
            flags.subtract([companion])
            if flags.isDisjoint(with: [.biometryAny, .biometryCurrentSet]) || !flags.contains(.devicePasscode) {
                flags.subtract([.or])
            }
        }
        switch flags {
        case []: return .none
        case [.userPresence], [.biometryAny, .or, .devicePasscode]: return .biometryOrPasscode
        case [.biometryAny]: return .anyBiometry
        case [.biometryCurrentSet]: return .currentSet
        case [.devicePasscode]: return .passcode
        case [.biometryCurrentSet, .or, .devicePasscode]: return .currentSetOrPasscode
        case [.biometryCurrentSet, .and, .devicePasscode]: return .currentSetAndPasscode
        default:
            throw .query(
                "the simulation has no access control with the flags \(flags.rawValue); use userPresence, biometryAny, "
                    + "biometryCurrentSet or devicePasscode alone, or biometryCurrentSet with devicePasscode and \"or\" or \"and\""
            )
        }
    }
}

// swift-format-ignore: AlwaysUseLowerCamelCase
/// The shape of `SecAccessControlCreateWithFlags`.
///
/// - Parameters:
///   - allocator: ignored.
///   - protection: a value of `kSecAttrAccessible`.
///   - flags: the constraints.
///   - error: receives `errSecParam` with a sentence.
/// - Returns: nil for an unknown protection, and for constraints that the simulation does not have.
public func SimulatedSecAccessControlCreateWithFlags(
    _ allocator: CFAllocator?, _ protection: CFTypeRef, _ flags: SecAccessControlCreateFlags,
    _ error: UnsafeMutablePointer<Unmanaged<CFError>?>?
) -> SimulatedSecAccessControl? {
    do throws(KeychainProblem) {
        guard let accessible = (protection as? String).flatMap(KeychainAccessible.init) else {
            throw KeychainProblem.query(
                "\(protection) is not a value of kSecAttrAccessible; use one such as kSecAttrAccessibleWhenUnlocked")
        }
        return try SimulatedSecAccessControl(accessible, flags)
    } catch let problem {
        error.set(problem)
        return nil
    }
}

extension UnsafeMutablePointer<Unmanaged<CFError>?>? {
    /// Returns a problem to the caller of a function of Security.
    func set(_ problem: KeychainProblem) {
        let error = NSError(
            domain: NSOSStatusErrorDomain, code: Int(problem.status),
            userInfo: problem.sentence.map { [NSLocalizedDescriptionKey: $0] } ?? [:])
        set(error)
    }

    /// Returns an error to the caller of a function of Security.
    func set(_ error: NSError) { self?.pointee = Unmanaged.passRetained(error as CFError) }
}
