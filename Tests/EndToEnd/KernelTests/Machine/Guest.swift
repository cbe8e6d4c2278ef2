import Testing

/// The tests' commands to the virtual machine.
enum Guest {
    /// Runs a script that must succeed and returns its output.
    @discardableResult
    static func run(
        _ script: String, within seconds: Int = 60, sourceLocation: SourceLocation = #_sourceLocation
    ) async throws -> String {
        let output = try await attempt(script, within: seconds)
        #expect(output.status == 0, "\(script)\n\(output.text)", sourceLocation: sourceLocation)
        return output.text
    }

    /// Runs a script that may fail.
    static func attempt(_ script: String, within seconds: Int = 60) async throws -> VirtualMachine.Output {
        let machine = try #require(VirtualMachine.current, "the suite runs in no virtual machine")
        return try await machine.run(script, within: seconds)
    }

    /// The hidraw node of a device, once the kernel has made it.
    static func node(_ name: String) async throws -> String {
        let output = try await run(
            """
            for try in $(seq 200); do
                node=$(grep -l 'HID_PHYS=touchstone/\(name)$' /sys/class/hidraw/*/device/uevent 2> /dev/null)
                [ -n "$node" ] && break
                sleep 0.1
            done
            [ -n "$node" ] || { cat /tmp/\(name).log; exit 1; }
            echo /dev/$(echo "$node" | cut -d / -f 5)
            """)
        return output.split(separator: "\n").last.map(String.init) ?? ""
    }

    /// Runs a test with a device on USB, which is removed afterwards.
    ///
    /// - Parameters:
    ///   - person: The user's habit, `auto` or `ask`.
    ///   - use: Receives the device's hidraw node.
    static func withKey(
        _ profile: String, name: String = "key", person: String = "auto", options: String = "",
        _ use: (_ node: String) async throws -> Void
    ) async throws {
        try await run(
            """
            touchstone device start \(profile) --usb --name \(name) --person \(person) \(options) \
                > /tmp/\(name).log 2>&1 &
            echo $! > /tmp/\(name).pid
            """)
        let node = try await node(name)
        do {
            try await use(node)
        } catch {
            _ = try await attempt("kill $(cat /tmp/\(name).pid)")
            throw error
        }
        try await run(
            """
            kill $(cat /tmp/\(name).pid)
            for try in $(seq 100); do kill -0 $(cat /tmp/\(name).pid) 2> /dev/null || exit 0; sleep 0.1; done
            exit 1
            """)
    }
}
