import LoopbackHTTP
import Testing

@testable import RelyingPartyServer

@Suite struct DeviceNameTests {
    @Test(arguments: [
        (
            "Mozilla/5.0 (iPhone; CPU iPhone OS 18_5 like Mac OS X) AppleWebKit/605.1.15 Version/18.5 Mobile Safari/604.1",
            "iPhone"
        ),
        ("Mozilla/5.0 (iPad; CPU OS 17_5 like Mac OS X) AppleWebKit/605.1.15", "iPad"),
        ("Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15", "Mac"),
        ("Mozilla/5.0 (Linux; Android 15; Pixel 9 Pro) AppleWebKit/537.36 Chrome/138.0 Mobile", "Pixel 9 Pro"),
        ("Dalvik/2.1.0 (Linux; U; Android 14; SM-S921B Build/UP1A.231005.007)", "SM-S921B"),
        ("Mozilla/5.0 (Linux; Android 10; K) AppleWebKit/537.36 Chrome/138.0.0.0 Mobile", "Android device"),
        ("Mozilla/5.0 (Android 14; Mobile; rv:140.0) Gecko/140.0 Firefox/140.0", "Android device"),
        ("okhttp/4.12.0", "Android device"),
        ("Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36", "Windows PC"),
        ("Mozilla/5.0 (X11; CrOS x86_64 14541.0.0) AppleWebKit/537.36", "Chromebook"),
        ("Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0", "Linux PC"),
        ("Members/7 CFNetwork/1498.700.2 Darwin/23.6.0", "Apple device"),
        ("Dart/3.5 (dart:io)", "Dart app"),
        ("ktor-client", "Ktor app"),
        ("Ktor client", "Ktor app"),
        ("Members/7.1 (org.example.members; build:12; iOS 18.5.0) Alamofire/5.9.1", "iPhone or iPad"),
        ("Members/7.1 (org.example.members; build:12; macOS 15.5.0) Alamofire/5.9.1", "Mac"),
        ("Members/7.1 (org.example.members; build:12; visionOS 2.0.0) Alamofire/5.9.1", "Apple device"),
        ("Alamofire/5.9.1", "Unknown device"),
        ("touchstone/1.0", "Command line"),
        ("curl/8.14.1", "Command line"),
        ("Android ", "Android device"),
        ("Android 14;)", "Android device"),
        ("", "Unknown device"),
    ])
    func theUserAgentNamesTheDevice(userAgent: String, name: String) {
        #expect(PasskeyDeviceName.guess(userAgent: userAgent) == name)
    }

    @Test func aDeviceWithoutAUserAgentIsUnknown() {
        #expect(PasskeyDeviceName.guess(userAgent: nil) == "Unknown device")
    }

    @Test func aNameIsTrimmedAndMustBeReadable() throws {
        #expect(try PasskeyDeviceName.validated("  Ada's key ") == "Ada's key")
        #expect(try PasskeyDeviceName.validated("E\u{301}va's key").unicodeScalars.count == 9)
        for name in ["", "  ", "a\u{0}b", String(repeating: "a", count: 65), "a\u{202E}b", "\u{2066}a\u{2069}"] {
            #expect(throws: APIError.deviceNameInvalid) { try PasskeyDeviceName.validated(name) }
        }
    }
}
