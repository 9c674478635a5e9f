import Domain
import Testing

@Suite("Image URLs")
struct ImageURLTests {
    @Test(
        "an absolute URL is accepted and keeps its spelling",
        arguments: [
            "https://a-image.url", "HTTP://x/y?z#f", "data:image/png;base64,AA==", "a+b:c", "Zz:x",
        ]
    )
    func url(text: String) {
        #expect(ImageURL(text)?.description == text)
    }

    @Test(
        "a text that is not an absolute URL is rejected",
        arguments: [
            "", "a-image.url", "/x.png", ":x", "1a:x", "`a:x", "{a:x", "http:", "http://a b",
            "http://a\u{0}",
        ]
    )
    func noURL(text: String) {
        #expect(ImageURL(text) == nil)
    }

    @Test("only http and https URLs are web URLs")
    func web() {
        let web = ["http://x", "HTTPS://x"].compactMap { ImageURL($0)?.isWeb }
        let others = ["file:///etc/passwd", "ftp://x", "httpx://x", "http:x"].compactMap {
            ImageURL($0)?.isWeb
        }
        #expect(web == [true, true] && others == [false, false, false, false])
        #expect(ImageURL("http://" + String(repeating: "x", count: ImageURL.maximumBytes)) == nil)
    }
}
