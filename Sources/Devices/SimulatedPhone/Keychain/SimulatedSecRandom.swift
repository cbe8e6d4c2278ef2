// swift-format-ignore-file: AlwaysUseLowerCamelCase

internal import VirtualAuthenticator

#if canImport(Security)
public import Foundation
internal import Security
#endif

/// The shape of `SecRandomCopyBytes` with the default source: the random numbers of the phone in use, which its seed repeats;
/// without a phone, the system's.
///
/// - Parameters:
///   - count: the number of bytes.
///   - bytes: a place for them.
/// - Returns: `errSecSuccess`, or `errSecParam` for a negative number.
public func SimulatedSecRandomCopyBytes(_ count: Int, _ bytes: UnsafeMutableRawPointer) -> OSStatus {
    guard count >= 0 else { return errSecParam }
    let random: any RandomSource = Phone.current?.random ?? SystemRandomSource()
    bytes.copyMemory(from: random.bytes(count), byteCount: count)
    return errSecSuccess
}
