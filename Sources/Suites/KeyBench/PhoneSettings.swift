internal import CTAPHybrid
package import HybridLink
internal import MachineTime
internal import SimulatedDevice
internal import VirtualAuthenticator

/// The terms for phones over hybrid transport.
package struct PhoneSettings: Sendable {
    /// The time for a phone to scan a code.
    package var limit = HybridPhone.usualLimit
    /// Whether the first connection by code asks the phone for a link.
    package var asksForLink = false
    /// The linked phones.
    package var links = LinkFolder.standard
    /// Shows a code, and what happens; the selector is that of `--device`.
    package var show: @Sendable (HybridPhone.Sign, DeviceSelector) -> Void = { _, _ in }

    package init() {}

    func phone(_ air: HybridAir) -> HybridPhone {
        phone(asksForLink ? .linking : .code, air, .hybrid(air))
    }

    func phone(_ air: HybridAir, _ link: LinkedPhone, _ selector: DeviceSelector) -> HybridPhone {
        phone(.link(link), air, selector)
    }

    private func phone(
        _ introduction: HybridPhone.Introduction, _ air: HybridAir, _ selector: DeviceSelector
    ) -> HybridPhone {
        let environment = HybridPhone.Environment(
            way: { try await air.open() },
            now: { UInt64(max(0, SystemTime().now().components.seconds)) },
            randomBytes: SystemRandomSource().bytes, wait: { try await Task.sleep(for: $0) })
        return HybridPhone(introduction, limit: limit, environment: environment) { [show] in show($0, selector) }
    }
}
