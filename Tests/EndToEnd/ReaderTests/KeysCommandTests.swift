import Foundation
import SecurityKeys
import TestSupport
import Testing

extension Readers {
    /// `touchstone device start --nfc` on one side of pcscd, `touchstone keys` on the other: through our PC/SC code, and
    /// through libfido2 on top of it.
    @Suite(.serialized, .readerStack) struct KeysCommandTests {
        private func withKey(
            _ profile: String, _ use: (Touchstone, _ device: String, URL) async throws -> Void
        ) async throws {
            let stack = try ReaderStack.required()
            let directory = FileManager.default.temporaryDirectory.appending(path: "touchstone-\(UUID().uuidString)")
            defer { try? FileManager.default.removeItem(at: directory) }
            let touchstone = Touchstone(beside: .module, runtimeDirectory: directory)
            let program = try touchstone.start(
                ["device", "start", profile, "--nfc", "--nfc-port", "\(stack.port)", "--name", "key"])
            defer { program.terminate() }
            for await line in program.errors {
                try #require(line.contains("on the NFC reader"), "\(line)")
                break
            }
            let reader = stack.readers[0]
            try await waitUntilReaders { $0.contains { $0.name == reader && $0.hasCard } }
            try await use(touchstone, "nfc:\(reader)", directory)
            program.terminate()
            try await waitUntilReaders { $0.contains { $0.name == reader && $0.content == .nothing } }
        }

        @Test(arguments: ["direct", "libfido2"])
        func aKeyOnAReaderRegistersAndSignsIn(route: String) async throws {
            try await withKey("yubikey-5-nfc-5.7") { touchstone, device, directory in
                func keys(_ arguments: String...) async throws -> Touchstone.Output {
                    let output = try await touchstone.run(
                        ["keys"] + arguments + ["--device", device, "--through", route],
                        environment: [
                            "XDG_STATE_HOME": directory.path, "TOUCHSTONE_PIN": "123456",
                            "TOUCHSTONE_NEW_PIN": "123456",
                        ])
                    #expect(output.status == 0, "\(arguments): \(output.standardError)")
                    return output
                }
                let list = try await touchstone.run("keys", "list", "--json")
                #expect(list.standardOutput.contains(device))
                #expect(try await keys("info").standardOutput.contains("Known as YubiKey 5"))
                _ = try await keys("pin", "set", "--yes")
                let registered = try await keys("register", "--user-verification", "required")
                #expect(registered.standardOutput.contains("accepted (HTTP 201)"))
                // A tap counts as user presence once.
                let spent = try await touchstone.run("device", "tap")
                #expect(spent.status == 0, "\(spent.standardError)")
                let signedIn = try await keys("sign-in")
                #expect(signedIn.standardOutput.contains("ok   a9  signature verifies with the stored public key"))
                #expect(try await keys("credentials", "list").standardOutput.contains("alice"))
            }
        }

        @Test func watchShowsArrivingAndRemovedKeys() async throws {
            try await withKey("yubikey-5-nfc-5.7") { touchstone, device, _ in
                let watch = try touchstone.start(["keys", "list", "--watch"])
                defer { watch.terminate() }
                var lines = watch.output.makeAsyncIterator()
                #expect(await lines.next()?.hasPrefix("came  \(device)") == true)
                _ = try await touchstone.run("device", "remove")
                #expect(await lines.next()?.hasPrefix("went  \(device)") == true)
                _ = try await touchstone.run("device", "tap")
                #expect(await lines.next()?.hasPrefix("came  \(device)") == true)
            }
        }

        @Test func aKeyRemovedDuringARequestIsReported() async throws {
            try await withKey("yubikey-5-nfc-5.7") { touchstone, device, _ in
                let told = try await touchstone.run("device", "remove", "--during-command", "3")
                #expect(told.status == 0, "\(told.standardError)")
                let lost = try await touchstone.run("keys", "info", "--through", "direct", "--device", device)
                #expect(lost.status == 3)
                #expect(lost.standardError.contains("the device is not connected"))
                let tapped = try await touchstone.run("device", "tap")
                #expect(tapped.status == 0, "\(tapped.standardError)")
                let info = try await touchstone.run("keys", "info", "--through", "direct", "--device", device)
                #expect(info.status == 0, "\(info.standardError)")
            }
        }
    }
}
