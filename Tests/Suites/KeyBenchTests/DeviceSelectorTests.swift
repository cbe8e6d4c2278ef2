import HybridLink
import KeyBench
import Testing

/// The values of `--device`.
struct DeviceSelectorTests {
    static let selectors: [(text: String, selector: DeviceSelector?)] = [
        ("virtual:solo-2", .virtual("solo-2")),
        ("virtual:./my key.yaml", .virtual("./my key.yaml")),
        ("virtual", nil),
        ("virtual:", nil),
        ("usb", .usb(nil)),
        ("usb:/dev/hidraw0", .usb("/dev/hidraw0")),
        ("usb:1050:0402", .usb("1050:0402")),
        ("usb:", nil),
        ("nfc", .nfc(nil)),
        ("nfc:ACS ACR122U 00 00", .nfc("ACS ACR122U 00 00")),
        ("udp", nil),
        ("udp:localhost", nil),
        ("udp:localhost:8111", .udp(host: "localhost", port: 8111)),
        ("udp:::1:8111", .udp(host: "::1", port: 8111)),
        ("udp:localhost:0", nil),
        ("udp:localhost:65536", nil),
        ("udp::8111", nil),
        ("hybrid", .hybrid(.thisComputer)),
        ("hybrid:", .hybrid(.thisComputer)),
        ("hybrid:bluez", .hybrid(.bluetooth)),
        ("hybrid:ada-phone", .link("ada-phone")),
        ("hybrid:../x", nil),
        ("hybrid:this-computer", nil),
        ("USB", nil),
        ("bluetooth", nil),
        ("", nil),
    ]

    @Test(arguments: selectors)
    func aSelectorNamesOneKindOfDevice(text: String, selector: DeviceSelector?) {
        #expect(DeviceSelector(text) == selector)
    }

    @Test(arguments: selectors.compactMap(\.selector))
    func aSelectorIsWrittenAsItIsRead(selector: DeviceSelector) {
        #expect(DeviceSelector(selector.description) == selector)
    }
}
