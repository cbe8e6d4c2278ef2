import CBOR
import COSE
import CTAP
import Testing
import VirtualAuthenticator
import WebAuthn

@Suite("Credential management")
struct CredentialManagementTests {
    static let nothingPending = Told(.notAllowed, "credentialManagement.nothingPending")

    /// A key with a PIN and three credentials of two relying parties.
    static func bench() async throws -> (bench: Bench, ids: [[UInt8]]) {
        let bench = try await Bench.complete(pin: true)
        var ids = [try await bench.discoverable(1).id()]
        ids.append(try await bench.discoverable(2, at: "alpha.example").id())
        ids.append(try await bench.discoverable(3).id())
        return (bench, ids)
    }

    static func list(_ rpID: String = Bench.rpID) -> CredentialManagementRequest {
        .of(.enumerateCredentialsBegin) { $0.rpIDHash = Bench.sha256(Array(rpID.utf8)) }
    }

    static let listRPs = CredentialManagementRequest.of(.enumerateRPsBegin)
    static let nextRP = CredentialManagementRequest.of(.enumerateRPsGetNextRP)
    static let nextCredential = CredentialManagementRequest.of(.enumerateCredentialsGetNextCredential)

    // MARK: Enumerating

    @Test func relyingPartiesAreEnumeratedWithTheirHashes() async throws {
        let (bench, _) = try await Self.bench()
        let first = try await bench.manage(Self.listRPs, with: .credentialManagement).credentials()
        let second = try await bench.manage(Self.nextRP).credentials()
        #expect(first.totalRPs == 2)
        #expect(second.totalRPs == nil)
        for response in [first, second] {
            #expect(response.rpIDHash == Bench.sha256(Array(try #require(response.rp).id.utf8)))
        }
        #expect([first, second].map(\.rp?.id) == ["alpha.example", "example.com"])
        #expect(await bench.manage(Self.nextRP).told == Self.nothingPending)
    }

    @Test func credentialsAreEnumeratedNewestFirstWithAllMembers() async throws {
        let (bench, ids) = try await Self.bench()
        let extended = try await bench.discoverable(
            4, ["credProtect": 2, "largeBlobKey": true, "thirdPartyPayment": true])
        let responses = try await [
            bench.manage(Self.list(), with: .credentialManagement).credentials(),
            bench.manage(Self.nextCredential).credentials(), bench.manage(Self.nextCredential).credentials(),
        ]
        #expect(responses.map(\.credentialID?.id) == [try extended.id(), ids[2], ids[0]])
        #expect(responses.map(\.totalCredentials) == [3, nil, nil])
        #expect(responses.map(\.user?.name) == ["user 4", "user 3", "user 1"])
        #expect(responses.map(\.user?.displayName) == ["User 4", "User 3", "User 1"])
        #expect(responses.map(\.credProtect) == [2, 1, 1])
        #expect(responses.map(\.thirdPartyPayment) == [true, false, false])
        #expect(responses.map(\.largeBlobKey) == [extended.response.largeBlobKey, nil, nil])
        #expect(extended.response.largeBlobKey?.count == 32)
        #expect(responses[0].publicKey == (try extended.attested().credentialPublicKey))
        #expect(await bench.manage(Self.nextCredential).told == Self.nothingPending)
    }

    @Test func aKeyWithoutTheExtensionsOmitsTheirMembers() async throws {
        let bench = try await Bench.complete(pin: true) { $0.extensions = [] }
        _ = try await bench.discoverable(1)
        let response = try await bench.manage(Self.list(), with: .credentialManagement).credentials()
        #expect(response.credProtect == nil)
        #expect(response.thirdPartyPayment == nil)
        #expect(response.largeBlobKey == nil)
    }

    @Test func getNextIsRefusedWithoutABeginning() async throws {
        let (bench, _) = try await Self.bench()
        for next in [Self.nextRP, Self.nextCredential] { #expect(await bench.manage(next).told == Self.nothingPending) }
        // One enumeration does not begin the other.
        _ = try await bench.manage(Self.list(), with: .credentialManagement)
        #expect(await bench.manage(Self.nextRP).told == Self.nothingPending)
        #expect(await bench.manage(Self.nextCredential).told == .ok)
        _ = try await bench.manage(Self.listRPs, with: .credentialManagement)
        #expect(await bench.manage(Self.nextCredential).told == Self.nothingPending)
        #expect(await bench.manage(Self.nextRP).told == .ok)
    }

    @Test func credentialsCanBeEnumeratedBetweenTwoRelyingParties() async throws {
        let (bench, ids) = try await Self.bench()
        let token = try await bench.token(for: .credentialManagement)
        #expect(try await bench.manage(Self.listRPs, token).credentials().rp?.id == "alpha.example")
        #expect(try await bench.manage(Self.list("alpha.example"), token).credentials().credentialID?.id == ids[1])
        #expect(try await bench.manage(Self.nextRP).credentials().rp?.id == "example.com")
        #expect(try await bench.manage(Self.list(), token).credentials().credentialID?.id == ids[2])
        #expect(try await bench.manage(Self.nextCredential).credentials().credentialID?.id == ids[0])
    }

    @Test(arguments: [CTAPCommand.getInfo, .getAssertion, .selection, .largeBlobs, CTAPCommand(rawValue: 0x7E)])
    func anyOtherCommandEndsAnEnumeration(command: CTAPCommand) async throws {
        let (bench, _) = try await Self.bench()
        let token = try await bench.token(for: .credentialManagement)
        for (begin, next) in [(Self.listRPs, Self.nextRP), (Self.list(), Self.nextCredential)] {
            #expect(await bench.manage(begin, token).told == .ok)
            _ = await bench.send(command)
            #expect(await bench.manage(next).told == Self.nothingPending)
        }
        await bench.device.powerCycle()
        #expect(await bench.manage(Self.nextRP).told == Self.nothingPending)
    }

    @Test func anEnumerationEndsWithItsToken() async throws {
        let (bench, _) = try await Self.bench()
        for (begin, next) in [(Self.listRPs, Self.nextRP), (Self.list(), Self.nextCredential)] {
            let token = try await bench.token(for: .credentialManagement)
            #expect(await bench.manage(begin, token).told == .ok)
            bench.clock.advance(by: .seconds(600))
            #expect(await bench.manage(next).told == .ok)
            #expect(await bench.manage(begin, try await bench.token(for: .credentialManagement)).told == .ok)
            bench.clock.advance(by: .milliseconds(600_001))
            #expect(await bench.manage(next).told == Self.nothingPending)
            // The persistent token does not expire.
            let persistent = try await bench.token(for: .persistentCredentialManagementReadOnly)
            #expect(await bench.manage(begin, persistent).told == .ok)
            bench.clock.advance(by: .seconds(86_400))
            #expect(await bench.manage(next).told == .ok)
        }
    }

    @Test func aRunOfAssertionsEndsWithItsToken() async throws {
        let bench = try await Bench.complete(pin: true)
        for user in 0..<30 { _ = try await bench.discoverable(UInt8(user)) }
        let token = try await bench.token()
        #expect(try await bench.get { $0.authenticate(token) }.got().response.numberOfCredentials == 30)
        for _ in 0..<20 {
            bench.clock.advance(by: .seconds(30))
            #expect(await bench.next().told == .ok)
        }
        bench.clock.advance(by: .milliseconds(1))
        #expect(await bench.next().told == Told(.notAllowed, "getNextAssertion.expired"))
    }

    // MARK: Counting

    @Test func metadataCountsDiscoverableCredentialsAndTheRoomLeft() async throws {
        let bench = try await Bench.complete(pin: true) { $0.discoverableCapacity = 4 }
        func metadata() async throws -> [Int?] {
            let response = try await bench.manage(
                CredentialManagementRequest.of(.getCredsMetadata), with: .credentialManagement
            ).credentials()
            return [
                response.existingResidentCredentialsCount, response.maxPossibleRemainingResidentCredentialsCount,
            ]
        }
        #expect(try await metadata() == [0, 4])
        _ = try await bench.discoverable(1)
        _ = try await bench.discoverable(1)
        _ = try await bench.discoverable(2)
        #expect(try await metadata() == [2, 2])
        #expect(await bench.make().told == .ok)
        #expect(try await metadata() == [2, 2])
        // A private key that is too large for an ID takes room although the credential is not discoverable.
        let large = try await bench.make {
            $0.pubKeyCredParams = [PublicKeyCredentialParameters(algorithm: .rs256)]
        }.made()
        #expect(try await metadata() == [2, 1])
        #expect(await bench.info().remainingDiscoverableCredentials == 1)
        #expect(try await bench.manage(Self.list(), with: .credentialManagement).credentials().totalCredentials == 2)
        let delete = CredentialManagementRequest.of(.deleteCredential) { $0.credentialID = try? large.descriptor() }
        #expect(
            try await bench.manage(delete, with: .credentialManagement).told
                == Told(.noCredentials, "credentialManagement.noSuchCredential"))
        _ = try await bench.discoverable(3)
        #expect(
            await bench.make { request in
                request.options["rk"] = true
                request.user.id = [9]
            }.told == Told(.puatRequired, "makeCredential.userVerificationRequired"))
        let token = try await bench.token(permissions: .makeCredential)
        #expect(
            await bench.make { request in
                request.options["rk"] = true
                request.user.id = [9]
                request.authenticate(token)
            }.told == Told(.keyStoreFull, "makeCredential.keyStoreFull"))
    }

    // MARK: Changing

    @Test func aDeletedCredentialFreesItsRoom() async throws {
        let (bench, ids) = try await Self.bench()
        let token = try await bench.token(for: .credentialManagement)
        let delete = CredentialManagementRequest.of(.deleteCredential) {
            $0.credentialID = PublicKeyCredentialDescriptor(id: ids[1])
        }
        #expect(await bench.manage(delete, token).told == .ok)
        #expect(
            await bench.manage(delete, token).told == Told(.noCredentials, "credentialManagement.noSuchCredential"))
        // Its relying party goes with it.
        #expect(try await bench.manage(Self.listRPs, token).credentials().totalRPs == 1)
        #expect(
            await bench.manage(Self.list("alpha.example"), token).told
                == Told(.noCredentials, "credentialManagement.noCredentials"))
        #expect(await bench.get { $0.relyingPartyID = "alpha.example" }.told.status == .noCredentials)
        #expect(await bench.info().remainingDiscoverableCredentials == 98)
        // The account may come back.
        #expect(try await bench.discoverable(2, at: "alpha.example").id() != ids[1])
    }

    @Test func updateUserInformationReplacesOrRemovesNames() async throws {
        let (bench, ids) = try await Self.bench()
        func rename(_ user: PublicKeyCredentialUserEntity) async throws -> Told {
            let request = CredentialManagementRequest.of(.updateUserInformation) {
                $0.credentialID = PublicKeyCredentialDescriptor(id: ids[0])
                $0.user = user
            }
            return try await bench.manage(request, with: .credentialManagement).told
        }
        func names() async throws -> [String?] {
            let token = try await bench.token(permissions: .getAssertion)
            _ = await bench.get { $0.authenticate(token) }
            let user = try #require(await bench.next().got().response.user)
            return [user.name, user.displayName]
        }
        #expect(try await names() == ["user 1", "User 1"])
        #expect(try await rename(PublicKeyCredentialUserEntity(id: [1], name: "ada", displayName: "Ada")) == .ok)
        #expect(try await names() == ["ada", "Ada"])
        #expect(try await rename(PublicKeyCredentialUserEntity(id: [1], name: "ada")) == .ok)
        #expect(try await names() == ["ada", nil])
        #expect(
            try await rename(PublicKeyCredentialUserEntity(id: [3], name: "eve"))
                == Told(.invalidParameter, "credentialManagement.otherUser"))
        #expect(try await names() == ["ada", nil])
        // The account is unchanged.
        _ = try await bench.discoverable(1)
        #expect(try await bench.manage(Self.list(), with: .credentialManagement).credentials().totalCredentials == 2)
    }

    @Test(arguments: [
        (CredentialManagementSubcommand.enumerateCredentialsBegin, 0), (.deleteCredential, 0),
        (.updateUserInformation, 1), (.updateUserInformation, 2),
    ])
    func aMissingParameterOfASubcommandIsRefused(subCommand: CredentialManagementSubcommand, given: Int) async throws {
        let (bench, ids) = try await Self.bench()
        let request = CredentialManagementRequest.of(subCommand) {
            if given == 1 { $0.credentialID = PublicKeyCredentialDescriptor(id: ids[0]) }
            if given == 2 { $0.user = PublicKeyCredentialUserEntity(id: [1]) }
        }
        #expect(
            try await bench.manage(request, with: .credentialManagement).told
                == Told(.missingParameter, "credentialManagement.parameterMissing"))
    }
}
