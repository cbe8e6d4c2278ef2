import CBOR
import COSE
import CTAP
import Testing
import VirtualAuthenticator
import WebAuthn

@Suite("MakeCredential")
struct MakeCredentialTests {
    @Test func aRequestMakesACredentialOfThePreferredAlgorithm() async throws {
        let bench = Bench { $0.aaguid = AAGUID("01020304-0506-0708-0102-030405060708") ?? .zero }
        let made = try await bench.make {
            $0.pubKeyCredParams = [
                PublicKeyCredentialParameters(algorithm: .rs256),
                PublicKeyCredentialParameters(algorithm: .es256, type: "unheard-of"),
                PublicKeyCredentialParameters(algorithm: .edDSA), PublicKeyCredentialParameters(algorithm: .es256),
            ]
        }.made()
        let data = try made.data()
        #expect(data.flags == [.userPresent, .attestedCredentialData])
        #expect(try made.attested().aaguid.description == "01020304-0506-0708-0102-030405060708")
        #expect(try COSE.PublicKey(cbor: made.attested().credentialPublicKey).algorithm == .edDSA)
        #expect(bench.person.presencePrompts == 1)
    }

    struct Refused: Sendable, CustomTestStringConvertible {
        let told: Told
        let change: @Sendable (inout MakeCredentialRequest) -> Void

        init(
            _ status: CTAPStatus, _ reason: String, _ change: @escaping @Sendable (inout MakeCredentialRequest) -> Void
        ) {
            told = Told(status, "makeCredential.\(reason)")
            self.change = change
        }

        var testDescription: String { told.testDescription }
    }

    @Test(arguments: [
        Refused(.invalidLength, "clientDataHashLength") { $0.clientDataHash.removeLast() },
        Refused(.invalidLength, "clientDataHashLength") { $0.clientDataHash.append(0) },
        Refused(.invalidLength, "userIDTooLong") { $0.user.id = [UInt8](repeating: 1, count: 65) },
        Refused(.unsupportedAlgorithm, "noSupportedAlgorithm") { $0.pubKeyCredParams = [] },
        Refused(.unsupportedAlgorithm, "noSupportedAlgorithm") {
            $0.pubKeyCredParams = [PublicKeyCredentialParameters(algorithm: .rs256)]
        },
        Refused(.unsupportedAlgorithm, "noSupportedAlgorithm") { $0.pubKeyCredParams[0].type = "public-keys" },
        Refused(.invalidOption, "upFalse") { $0.options["up"] = false },
        Refused(.invalidOption, "uvNotConfigured") { $0.options["uv"] = true },
        Refused(.missingParameter, "pinUvAuthProtocolMissing") { $0.pinUvAuthParam = [1] },
        Refused(.invalidParameter, "pinUvAuthProtocolUnsupported") {
            $0.pinUvAuthParam = [1]
            $0.pinUvAuthProtocol = 3
        },
        Refused(.pinAuthInvalid, "pinUvAuthParamInvalid") {
            $0.pinUvAuthParam = [1]
            $0.pinUvAuthProtocol = 2
        },
        // A device without enterprise attestation refuses the parameter before it checks the value.
        Refused(.invalidParameter, "enterpriseAttestationUnsupported") { $0.enterpriseAttestation = 1 },
        Refused(.invalidParameter, "enterpriseAttestationUnsupported") { $0.enterpriseAttestation = 9 },
        Refused(.limitExceeded, "excludeListTooLong") {
            $0.excludeList = [PublicKeyCredentialDescriptor](
                repeating: PublicKeyCredentialDescriptor(id: [1]), count: 9)
        },
    ])
    func anInvalidMemberRefusesTheRequest(refused: Refused) async {
        let bench = Bench()
        #expect(await bench.make(refused.change).told == refused.told)
        #expect(bench.person.presencePrompts == 0)
        #expect(await bench.make().told == .ok)
    }

    @Test func rkIsUnsupportedWithoutDiscoverableCredentials() async {
        let bench = Bench { $0.discoverability = .never }
        #expect(await bench.option("rk") == false)
        #expect(
            await bench.make { $0.options["rk"] = true }.told
                == Told(.unsupportedOption, "makeCredential.rkUnsupported"))
        #expect(await bench.make { $0.options["rk"] = false }.told == .ok)
    }

    @Test func unknownOptionsAndExtensionsAreIgnored() async throws {
        let made = try await Bench().make {
            $0.options = ["future": true, "up": true, "rk": false, "uv": false]
            $0.extensions = ["future": ["a": 1]]
            $0.excludeList = [PublicKeyCredentialDescriptor(id: [1], type: "unheard-of")]
        }.made()
        #expect(try made.data().extensions == nil)
    }

    @Test func aDeclinedOrMissingTouchIsDenied() async {
        let bench = Bench()
        bench.person.willAnswer([.declined, .noAnswer])
        #expect(await bench.make().told == Told(.operationDenied, "makeCredential.userDeclined"))
        let before = bench.clock.now()
        #expect(await bench.make().told == Told(.operationDenied, "makeCredential.userActionTimeout"))
        #expect(bench.clock.now() - before == .seconds(30))
        #expect(await bench.make().told == .ok)
    }

    // MARK: Zero-length pinUvAuthParam

    @Test func aZeroLengthPinUvAuthParamAsksForATouchAndReportsWhetherAPINIsSet() async throws {
        let bench = Bench()
        #expect(
            await bench.make { $0.pinUvAuthParam = [] }.told
                == Told(.pinNotSet, "makeCredential.zeroLengthPinUvAuthParam"))
        #expect(bench.person.presencePrompts == 1)
        try await bench.setPIN()
        #expect(
            await bench.make { $0.pinUvAuthParam = [] }.told
                == Told(.pinInvalid, "makeCredential.zeroLengthPinUvAuthParam"))
        bench.person.willAnswer([.declined, .noAnswer])
        #expect(
            await bench.make { $0.pinUvAuthParam = [] }.told == Told(.operationDenied, "makeCredential.userDeclined"))
        #expect(
            await bench.make { $0.pinUvAuthParam = [] }.told
                == Told(.operationDenied, "makeCredential.userActionTimeout"))
    }

    @Test func aZeroLengthPinUvAuthParamNeedsAProtocolWithoutClientPIN() async {
        let bench = Bench { $0.supportsClientPIN = false }
        #expect(
            await bench.make { $0.pinUvAuthParam = [] }.told
                == Told(.missingParameter, "makeCredential.pinUvAuthProtocolMissing"))
        #expect(bench.person.presencePrompts == 0)
    }

    // MARK: Discoverable and sealed credentials

    @Test func onlyRequestedCredentialsAreDiscoverable() async throws {
        let bench = Bench()
        let sealed = try await bench.make().made()
        #expect(await bench.get().told == Told(.noCredentials, "getAssertion.noCredentials"))
        #expect(try await bench.get { $0.allowList = [try sealed.descriptor()] }.got().id == sealed.id())
        let kept = try await bench.make { $0.options["rk"] = true }.made()
        #expect(try await bench.get().got().id == kept.id())
        #expect(await bench.device.snapshot().credentials.count == 1)
    }

    @Test func aDeviceMayMakeEveryCredentialDiscoverable() async throws {
        let bench = Bench { $0.discoverability = .always }
        let made = try await bench.make().made()
        #expect(try await bench.get().got().id == made.id())
    }

    @Test func aSealedCredentialOpensForItsOwnRelyingPartyAndDeviceOnly() async throws {
        let bench = Bench()
        let descriptor = try await bench.make().made().descriptor()
        #expect(
            await bench.get {
                $0.relyingPartyID = "evil.example"
                $0.allowList = [descriptor]
            }.told == Told(.noCredentials, "getAssertion.noCredentials"))
        #expect(
            await Bench(seed: 2).get { $0.allowList = [descriptor] }.told
                == Told(.noCredentials, "getAssertion.noCredentials"))
        for index in descriptor.id.indices {
            var forged = descriptor
            forged.id[index] ^= 1
            #expect(await bench.get { $0.allowList = [forged] }.told.status == .noCredentials)
        }
    }

    @Test func anAccountHasOneDiscoverableCredentialAtARelyingParty() async throws {
        let bench = Bench { $0.discoverableCapacity = 1 }
        let first = try await bench.make { $0.options["rk"] = true }.made()
        let second = try await bench.make { $0.options["rk"] = true }.made()
        #expect(try first.id() != second.id())
        #expect(try await bench.get().got().id == second.id())
        #expect(try await bench.get { $0.allowList = [try first.descriptor()] }.told.status == .noCredentials)
        #expect(await bench.info().remainingDiscoverableCredentials == 0)
        #expect(
            await bench.make {
                $0.options["rk"] = true
                $0.user.id = [2]
            }.told == Told(.keyStoreFull, "makeCredential.keyStoreFull"))
        #expect(await bench.make { $0.user.id = [2] }.told == .ok)
    }

    // MARK: Exclude list

    @Test func anExcludedAccountIsReportedAfterATouchOrATimeout() async throws {
        let bench = Bench()
        let excluded = Told(.credentialExcluded, "makeCredential.credentialExcluded")
        for rk in [true, false] {
            let descriptor = try await bench.make { $0.options["rk"] = rk }.made().descriptor()
            let unknown = PublicKeyCredentialDescriptor(id: [0])
            let prompts = bench.person.presencePrompts
            #expect(await bench.make { $0.excludeList = [unknown, descriptor] }.told == excluded)
            #expect(bench.person.presencePrompts == prompts + 1)
            bench.person.willAnswer([.noAnswer])
            #expect(await bench.make { $0.excludeList = [descriptor] }.told == excluded)
            // A user who declines does not reveal the account (WebAuthn L3 §6.3.2 step 3).
            bench.person.willAnswer([.declined])
            #expect(
                await bench.make { $0.excludeList = [descriptor] }.told
                    == Told(.operationDenied, "makeCredential.userDeclined"))
        }
    }

    @Test func credentialsOfOtherRelyingPartiesDoNotExclude() async throws {
        let bench = Bench()
        let descriptor = try await bench.make { $0.options["rk"] = true }.made().descriptor()
        #expect(
            await bench.make {
                $0.rp.id = "other.example"
                $0.excludeList = [descriptor]
            }.told == .ok)
        var renamed = descriptor
        renamed.type = "unheard-of"
        #expect(await bench.make { $0.excludeList = [renamed] }.told == .ok)
    }

    @Test func anExcludedRequestSpendsNoToken() async throws {
        let bench = Bench()
        let descriptor = try await bench.make().made().descriptor()
        try await bench.setPIN()
        let token = try await bench.token()
        #expect(
            await bench.make {
                $0.authenticate(token)
                $0.excludeList = [descriptor]
            }.told == Told(.credentialExcluded, "makeCredential.credentialExcluded"))
        #expect(await bench.make { $0.authenticate(token) }.told == .ok)
    }

    // MARK: Backup

    @Test(arguments: [(false, false), (true, false), (true, true)])
    func theBackupFlagsFollowTheDevice(isEligible: Bool, isBackedUp: Bool) async throws {
        let bench = Bench {
            $0.isBackupEligible = isEligible
            $0.isBackedUp = isBackedUp
        }
        for rk in [true, false] {
            let made = try await bench.make { $0.options["rk"] = rk }.made()
            let got = try await bench.get { $0.allowList = [try made.descriptor()] }.got()
            for flags in [try made.flags(), try got.flags()] {
                #expect(flags.contains(.backupEligible) == isEligible)
                #expect(flags.contains(.backupState) == isBackedUp)
            }
        }
    }

    @Test func backupStateChangesAndEligibilityDoesNot() async throws {
        let bench = Bench { $0.isBackupEligible = true }
        let made = try await bench.make { $0.options["rk"] = true }.made()
        await bench.device.setBackup(isEligible: nil, isBackedUp: true, credentialID: try made.id())
        #expect(try await bench.get().got().flags() == [.userPresent, .backupEligible, .backupState])
        let bound = Bench()
        let other = try await bound.make { $0.options["rk"] = true }.made()
        await bound.device.setBackup(isEligible: nil, isBackedUp: true, credentialID: try other.id())
        #expect(try await bound.get().got().flags() == [.userPresent])
    }

    @Test func aRemovedCredentialNoLongerSigns() async throws {
        let bench = Bench()
        let made = try await bench.make { $0.options["rk"] = true }.made()
        #expect(await bench.device.removeCredential(try made.id()))
        #expect(await !bench.device.removeCredential(try made.id()))
        #expect(await bench.get().told.status == .noCredentials)
    }
}
