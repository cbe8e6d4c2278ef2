import CBOR
import CTAPHybrid
import TestSupport
import Testing

/// CTAP 2.3 §11.5: linking information.
@Suite("Linking information")
struct LinkingTests {
    private static func information(_ change: (inout LinkingInformation) -> Void = { _ in }) throws
        -> LinkingInformation
    {
        let phone = try Sample.key(20)
        let other = try Sample.key(21)
        let signature = try #require(
            LinkingInformation.signature(phone, other.publicKey, over: Sample.bytes(32, seed: 5)))
        var information = LinkingInformation(
            contactID: [1, 2, 3], linkID: Sample.bytes(8), linkSecret: Sample.bytes(32, seed: 2),
            publicKey: phone.publicKey, name: "Pixel 9", signature: signature)
        change(&information)
        return information
    }

    @Test func anUpdateIsReadBackAndVerified() throws {
        let information = try Self.information()
        let payload = UpdateMessage.encode(information)
        #expect((490...520).contains(payload.count))
        let read = try #require(try UpdateMessage.read(payload))
        #expect(read == information)
        let other = try Sample.key(21)
        try read.verify(with: other, handshakeHash: Sample.bytes(32, seed: 5))
        #expect(throws: LinkingError.signature) {
            try read.verify(with: other, handshakeHash: Sample.bytes(32, seed: 6))
        }
        let stranger = try Sample.key(22)
        #expect(throws: LinkingError.signature) {
            try read.verify(with: stranger, handshakeHash: Sample.bytes(32, seed: 5))
        }
        for index in 0..<32 {
            let changed = try Self.information { $0.signature[index] ^= 1 }
            #expect(throws: LinkingError.signature) {
                try changed.verify(with: other, handshakeHash: Sample.bytes(32, seed: 5))
            }
        }
        let shorter = try Self.information { $0.signature.removeLast() }
        #expect(throws: LinkingError.signature) {
            try shorter.verify(with: other, handshakeHash: Sample.bytes(32, seed: 5))
        }
    }

    @Test(arguments: 1...6)
    func everyMemberIsNeeded(key: Int) throws {
        let payload = UpdateMessage.encode(try Self.information())
        guard case .map(var update) = try CBOR.decode(payload), case .map(let linking)? = update[.integer(1)] else {
            Issue.record("the update is not a map")
            return
        }
        for value in [nil, false] as [CBOR.Value?] {
            var changed = linking
            changed[.integer(key)] = value
            update[.integer(1)] = .map(changed)
            #expect(throws: LinkingError.member(key)) { try UpdateMessage.read(CBOR.encode(.map(update))) }
        }
    }

    @Test func otherLengthsAreRefused() throws {
        let changes: [((inout LinkingInformation) -> Void, LinkingError)] = [
            ({ $0.contactID = [] }, .member(1)), ({ $0.linkID.append(0) }, .member(2)),
            ({ $0.linkSecret.removeLast() }, .member(3)),
        ]
        for (change, error) in changes {
            let information = try Self.information(change)
            #expect(throws: error) { try UpdateMessage.read(UpdateMessage.encode(information)) }
        }
    }

    @Test(arguments: [
        ("", LinkingError.malformed), ("00", .malformed), ("A1", .malformed), ("A10100", .notAMap),
        ("A101A60141010248000000000000000003414104410005606041AA", .publicKey),
    ])
    func otherUpdatesAreRefused(hex: String, error: LinkingError) {
        #expect(throws: error) { try UpdateMessage.read([UInt8](hex: hex)) }
    }

    @Test(arguments: ["A0", "A10040", "A11903E7F5"])
    func anUpdateWithoutLinkingInformationIsNoError(hex: String) throws {
        #expect(try UpdateMessage.read([UInt8](hex: hex)) == nil)
    }

    @Test func aNewContactIDMakesNewSecrets() throws {
        var identity = try #require(PhoneIdentity(rootSecret: Sample.bytes(32), contactID: [1], name: "Pixel"))
        let before = identity.linkSecret([1, 2])
        #expect(before == identity.linkSecret([1, 2]))
        #expect(before != identity.linkSecret([1, 3]))
        identity.contactID = [2]
        #expect(before != identity.linkSecret([1, 2]))
        #expect(PhoneIdentity(rootSecret: Sample.bytes(31), contactID: [1], name: "") == nil)
        #expect(PhoneIdentity(rootSecret: Sample.bytes(32), contactID: [], name: "") == nil)
    }
}
