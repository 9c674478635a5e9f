import Testing

@testable import BackendKit

@Suite("An access token")
struct AccessTokenTests {
    @Test("is random, has its id, and consists of characters that a shell does not interpret")
    func form() throws {
        let tokens = (0..<100).map { _ in AccessToken() }
        #expect(Set(tokens.map(\.id)).count == 100 && Set(tokens.map(\.text)).count == 100)
        for token in tokens {
            #expect(token.text.wholeMatch(of: /nvb_[0-9a-f]{16}_[0-9a-f]{64}/) != nil)
            #expect(AccessToken.isID(token.id))
            let parsed = try #require(AccessToken(token.text))
            #expect(parsed.id == token.id && parsed.hash == token.hash)
        }
    }

    @Test("has only its own hash, which does not contain it")
    func hash() throws {
        let token = AccessToken()
        #expect(token.hash.wholeMatch(of: /[0-9a-f]{64}/) != nil)
        #expect(!token.text.contains(token.hash) && !token.hash.contains(token.id))
        #expect(token.hasHash(token.hash))
        let last: Character = token.text.last == "0" ? "1" : "0"
        let similar = try #require(AccessToken(token.text.dropLast() + String(last)))
        #expect(similar.id == token.id && !token.hasHash(similar.hash))
        let cut = String(token.hash.dropLast())
        for hash in [cut, token.hash + "0", "", String(repeating: "-", count: 64), nil] {
            #expect(!token.hasHash(hash))
        }
    }

    @Test("has the hash that earlier versions have stored")
    func stability() throws {
        let text = "nvb_0123456789abcdef_" + String(repeating: "0123456789abcdef", count: 4)
        let token = try #require(AccessToken(text))
        #expect(
            token.hash == "e1fc7ed76e4d1ff02456ca4cc15d18456ff0c4b4444c7f0011a38e537b22d3d9"
        )
    }

    @Test("has exactly this form")
    func invalid() {
        let id = String(repeating: "a", count: 16)
        let secret = String(repeating: "0", count: 64)
        #expect(AccessToken("nvb_\(id)_\(secret)") != nil)
        for text in [
            "", "nvb", "nvb__", "nvb_\(id)_", "nvb_\(id)_\(secret)0", "nvb_\(id)a_\(secret)",
            "nvb_\(id.dropLast())_\(secret)", "nvb_\(id)_\(secret.dropLast())",
            "nvb_\(id)_\(secret)_", "_nvb_\(id)_\(secret)", "NVB_\(id)_\(secret)",
            "nvb_\(id.uppercased())_\(secret)", "nvb_\(id)_\(secret.dropLast())g",
            "nvb_\(id.dropLast())é_\(secret)", "nvb_\(id)-\(secret)",
        ] {
            #expect(AccessToken(text) == nil, "\(text)")
        }
    }
}
