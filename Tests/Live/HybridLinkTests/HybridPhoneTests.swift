import CTAP
import CTAPHybrid
import HybridLink
import Testing

/// A phone as a device: a connection for each command, by code or by link.
struct HybridPhoneTests {
    private static let getInfo = [CTAPCommand.getInfo.rawValue]

    @Test("getInfo and the first command need one code, and each further command another one")
    func codes() async throws {
        try await PhoneRoom.with { (room: PhoneRoom) async throws in
            let phone = room.phone(.code)
            #expect(try await phone.transceive(Self.getInfo) == [0] + PhoneRoom.info)
            #expect(try await phone.transceive(PhoneRoom.command) == PhoneRoom.answer)
            #expect(room.codes.count == 1 && room.commands == [PhoneRoom.command])
            #expect(try await phone.transceive(Self.getInfo) == [0] + PhoneRoom.info)
            #expect(room.codes.count == 1)
            #expect(try await phone.transceive(PhoneRoom.command) == PhoneRoom.answer)
            #expect(room.codes.count == 2 && Set(room.codes.map(\.secret)).count == 2)
            #expect(room.codes.allSatisfy { $0.supportsStateAssisted == false })
            await phone.close()
        }
    }

    @Test("A code's hint is that of its command, or the expected one")
    func hints() async throws {
        try await PhoneRoom.with { (room: PhoneRoom) async throws in
            let phone = room.phone(.code)
            _ = try await phone.transceive([CTAPCommand.makeCredential.rawValue, 0xA0])
            _ = try await phone.transceive(PhoneRoom.command)
            await phone.expect(.makeCredential)
            _ = try await phone.transceive([CTAPCommand.selection.rawValue])
            #expect(room.codes.map(\.operation) == [.makeCredential, .getAssertion, .makeCredential])
            await phone.close()
        }
    }

    @Test("Without a phone in time, the error says that none has scanned the code")
    func silence() async throws {
        try await PhoneRoom.with { (room: PhoneRoom) async throws in
            room.setScans(false)
            let error = await #expect(throws: CTAPDeviceError.self) {
                try await room.phone(.code, wait: { _ in }).transceive(Self.getInfo)
            }
            #expect(error?.detail.hasPrefix("no phone has scanned the code within 60 s; ") == true)
        }
    }

    @Test("A phone that is near and does not connect in time is named as such")
    func silenceOfNearPhone() async throws {
        try await PhoneRoom.with { (room: PhoneRoom) async throws in
            room.setFaults([.handshakeMissing])
            let phone = room.phone(.code) { _ in while !room.signs.contains(.found) { await Task.yield() } }
            let error = await #expect(throws: CTAPDeviceError.self) { try await phone.transceive(Self.getInfo) }
            #expect(error?.detail.hasPrefix("a phone is near, and has not connected within 60 s; ") == true)
        }
    }

    @Test("A cancelled command is answered as cancelled while its code waits")
    func cancelled() async throws {
        try await PhoneRoom.with { (room: PhoneRoom) async throws in
            room.setScans(false)
            let phone = room.phone(.code)
            let command = Task { try await phone.transceive(PhoneRoom.command) }
            while room.codes.isEmpty { await Task.yield() }
            command.cancel()
            #expect(try await command.value == [CTAPStatus.keepaliveCancel.rawValue])
        }
    }

    @Test("A linked phone answers each further command without a code, until it no longer knows the link")
    func links() async throws {
        try await PhoneRoom.with { (room: PhoneRoom) async throws in
            let contacts = try await room.startContacts()
            let phone = room.phone(.linking)
            for _ in 0..<3 { #expect(try await phone.transceive(PhoneRoom.command) == PhoneRoom.answer) }
            #expect(room.codes.map(\.supportsStateAssisted) == [true])
            let links = room.signs.compactMap { if case .linked(let link) = $0 { link } else { nil } }
            let link = try #require(links.first)
            #expect(links.count == 1 && link.name == "Ada's phone")
            #expect(room.commands.count == 3)
            // Another program with the kept link.
            let later = room.phone(.link(link))
            #expect(try await later.transceive(Self.getInfo) == [0] + PhoneRoom.info)
            #expect(try await later.transceive(PhoneRoom.command) == PhoneRoom.answer)
            #expect(room.codes.count == 1)
            await contacts.stop()
            let error = await #expect(throws: CTAPDeviceError.self) { try await later.transceive(PhoneRoom.command) }
            guard case .disconnected(let detail)? = error else { throw try #require(error) }
            #expect(detail.contains("410"))
            #expect(room.signs.last == .forgotten(link))
            // The link of a file is used no more, and the link that a code gave makes place for a code.
            let again = await #expect(throws: CTAPDeviceError.self) { try await later.transceive(PhoneRoom.command) }
            #expect(again?.detail.contains("no longer knows this link; link it again with a code") == true)
            await #expect(throws: CTAPDeviceError.self) { try await phone.transceive(PhoneRoom.command) }
            #expect(try await phone.transceive(PhoneRoom.command) == PhoneRoom.answer)
            #expect(room.codes.count == 2)
        }
    }

    @Test(
        "Linking information without proof is an error that says why, before the command",
        arguments: [
            (HybridFault.linkingSignatureWrong, LinkingError.signature), (.updateMalformed, .malformed),
        ])
    func unprovenLink(fault: HybridFault, reason: LinkingError) async throws {
        try await PhoneRoom.with { (room: PhoneRoom) async throws in
            let contacts = try await room.startContacts()
            room.setFaults([fault])
            let phone = room.phone(.linking)
            let error = await #expect(throws: CTAPDeviceError.self) { try await phone.transceive(PhoneRoom.command) }
            #expect(error?.detail.hasPrefix("the phone's link is not kept: \(reason)") == true)
            #expect(room.commands.isEmpty)
            // The next command has a code again.
            room.setFaults([])
            #expect(try await phone.transceive(PhoneRoom.command) == PhoneRoom.answer)
            #expect(room.codes.count == 2)
            await contacts.stop()
        }
    }

    @Test("A phone that gives no link is an error, before the command")
    func noLink() async throws {
        try await PhoneRoom.with { (room: PhoneRoom) async throws in
            // The time for a link ends as soon as the phone is connected; the time for a phone does not.
            let phone = room.phone(.linking) { limit in
                if limit == HybridPhone.usualLimit { try await PhoneRoom.never() }
            }
            let error = await #expect(throws: CTAPDeviceError.self) { try await phone.transceive(PhoneRoom.command) }
            #expect(error?.detail.hasPrefix("the phone is connected, and gave no link within 5 s; ") == true)
            #expect(room.commands.isEmpty)
        }
    }

    @Test("A linked phone that does not answer the contact in time is named")
    func silentLink() async throws {
        try await PhoneRoom.with { (room: PhoneRoom) async throws in
            let contacts = try await room.startContacts()
            let phone = room.phone(.linking)
            _ = try await phone.transceive(PhoneRoom.command)
            guard case .linked(let link)? = room.signs.last(where: { if case .linked = $0 { true } else { false } })
            else {
                Issue.record("no link")
                return
            }
            room.setFaults([.advertMissing])
            let later = room.phone(.link(link)) { _ in
                while room.signs.last != .called(link.name) { await Task.yield() }
            }
            let error = await #expect(throws: CTAPDeviceError.self) { try await later.transceive(PhoneRoom.command) }
            #expect(error?.detail.hasPrefix("the linked phone Ada's phone has not connected within 60 s") == true)
            await contacts.stop()
        }
    }
}
