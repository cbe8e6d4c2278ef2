import Testing

/// Unmodified programs with a virtual key that Linux itself sees as a USB security key.
@Suite(.serialized, .inVirtualMachine, .timeLimit(.minutes(15)))
enum Kernel {}

extension Kernel {
    /// libfido2's own tools on `/dev/hidraw*`.
    @Suite(.serialized) struct FIDO2ToolsTests {
        @Test func theToolsFindTheKeyAndReadWhatItSays() async throws {
            try await Guest.withKey("security-key-bio") { node in
                let list = try await Guest.run("fido2-token -L")
                #expect(list.contains("\(node): vendor=0x1209, product=0x0001"))
                let info = try await Guest.run("fido2-token -I \(node)")
                #expect(info.contains("proto: 0x02"))
                #expect(info.contains("aaguid: 7075ff5d7f4e4c1c9d7e2a5b9c0d1e30"))
                #expect(info.contains("uv modality: 0x2 (fingerprint check)"))
                #expect(info.contains("pin retries: 8"))
            }
        }
    }
}
