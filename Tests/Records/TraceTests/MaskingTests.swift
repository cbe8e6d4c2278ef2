import CBOR
import CTAP
import TestSupport
import Testing
import Trace

@Suite("Masking of secrets")
struct MaskingTests {
    static let secret = [UInt8](0xA0...0xBF)

    @Test(arguments: SecretPlace.requests + SecretPlace.answers)
    func aMaskedSecretKeepsItsLength(place: SecretPlace) async throws {
        let (request, answer) = place.exchange(.bytes(Self.secret))
        let records = try await exchange(request, answer)
        let text = try Recording.everything(records)
        #expect(!text.contains(Self.secret.hex))
        #expect(text.contains("<32 secret bytes>"))
        #expect(text.contains("\"secret\":\"declared\""))
    }

    @Test("The evidence of a conformance case shows the bytes that the suite sent, and masks those of the answer")
    func evidence() {
        for place in SecretPlace.requests + SecretPlace.unknown {
            let (request, _) = place.exchange(.bytes(Self.secret))
            #expect(!ExchangeText.request(request).joined().contains("secret bytes"))
            #expect(!ExchangeText.request(request).joined().contains("possibly secret"))
        }
        for place in SecretPlace.answers {
            let (request, answer) = place.exchange(.bytes(Self.secret))
            #expect(ExchangeText.response(answer, to: request).joined().contains("<32 secret bytes>"))
        }
    }

    @Test(arguments: SecretPlace.unknown)
    func anUnknownValueMayBeSecret(place: SecretPlace) async throws {
        let (request, answer) = place.exchange(.bytes(Self.secret))
        let text = try Recording.everything(try await exchange(request, answer))
        #expect(!text.contains(Self.secret.hex))
        #expect(text.contains("<32 bytes, possibly secret>"))
    }

    @Test(arguments: SecretPlace.unknown)
    func anUnknownTextMayBeAPIN(place: SecretPlace) async throws {
        // A text is masked in a place where the specification expects none.
        let (request, answer) = place.exchange("hunter2-pin")
        let text = try Recording.everything(try await exchange(request, answer))
        #expect(!text.contains("hunter2"))
        #expect(text.contains("<11 bytes of text, possibly secret>"))
    }

    @Test(arguments: SecretPlace.requests + SecretPlace.answers + SecretPlace.unknown)
    func aSecretIsKeptAndShownOnRequest(place: SecretPlace) async throws {
        let (request, answer) = place.exchange(.bytes(Self.secret))
        let records = try await exchange(request, answer, keepsSecrets: true)
        #expect(Conversation(showsSecrets: true).text(records).contains(Self.secret.hex))
        // A kept secret is shown only on request: not in the conversation by default, and not in the report.
        #expect(!Conversation().text(records).contains(Self.secret.hex))
        #expect(!TraceReport.markdown(records).contains(Self.secret.hex))
        #expect(!(try TraceReport.json(records)).contains(Self.secret.hex))
        // The bytes as they went over the wire are there, too.
        let raws = records.compactMap { record in
            switch record.content {
            case .request(let request): request.message.raw
            case .response(let response): response.message.raw
            default: nil
            }
        }
        #expect(raws == [request, answer])
    }

    @Test(arguments: SecretPlace.requests + SecretPlace.answers)
    func aSecretOfTheWrongTypeIsMaskedAsAWhole(place: SecretPlace) async throws {
        let value: CBOR.Value = [1: .bytes(Self.secret), "pin": "hunter2-pin"]
        let (request, answer) = place.exchange(value)
        let text = try Recording.everything(try await exchange(request, answer))
        #expect(!text.contains(Self.secret.hex))
        #expect(!text.contains("hunter2"))
    }

    @Test func undecodableBytesMayBeSecret() async throws {
        for broken in [[0x58, 0x20] + Self.secret.dropLast(), [0xA1, 0x06, 0x58, 0x20] + Self.secret + [0x00]] {
            let asked = try await exchange([6] + broken)
            #expect(!(try Recording.everything(asked)).contains(Array(Self.secret.dropLast()).hex))
            let told = try await request([6] + broken)
            #expect(told.message.problem != nil)
            #expect(told.message.raw == nil)
            #expect(told.message.fields.map(\.name) == ["undecoded"])
            #expect(told.message.fields.map(\.length) == [broken.count])
            let kept = try await request([6] + broken, keepsSecrets: true)
            #expect(kept.message.fields.map(\.value) == [broken.hex])
        }
    }

    @Test func aMapKeyOfBytesIsNotShown() async throws {
        let records = try await exchange([6] + CBOR.encode([.bytes(Self.secret): 1, "not an identifier": 2]))
        let text = try Recording.everything(records)
        #expect(!text.contains(Self.secret.hex))
        #expect(!text.contains("not an identifier"))
        #expect(text.contains("(byte string)"))
    }

    @Test func authenticatorDataWithASecretOutputShowsOnlyItsParts() async throws {
        let data = SecretPlace.authenticatorData(["hmac-secret": .bytes(Self.secret)])
        let told = try await response([0] + CBOR.encode([2: data]), to: 2)
        let field = try #require(told.message.fields.first)
        #expect(field.value == nil)
        #expect(field.items.map(\.name) == ["rpIdHash", "flags", "signCount", "extensions"])
        #expect(field.items.last?.items.map(\.length) == [32])
    }

    @Test func publicMessagesKeepTheirBytes() async throws {
        let records = try await exchange([6] + CBOR.encode([1: 2, 2: 2]), [0] + CBOR.encode([3: 8]))
        #expect(try Recording.everything(records).contains("\"raw\":\"06a201020202\""))
        let agreement = CBOR.encode([1: [1: 2, 3: -25, -1: 1, -2: .bytes(Self.secret), -3: .bytes(Self.secret)]])
        let told = try await response([0] + agreement, to: 6)
        #expect(told.message.raw == [0] + agreement)
        #expect(told.message.fields.first?.items.last?.value == Self.secret.hex)
    }
}
