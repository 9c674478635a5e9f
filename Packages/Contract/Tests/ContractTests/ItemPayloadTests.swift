import Contract
import Domain
import JSON
import Testing

@Suite("The JSON of the feed, the movies, and the menu")
struct ItemPayloadTests {
    private let id = "1F0A6C0E-5B7C-4D8E-9A55-0C5B3E8A4D01"

    private func path<Codec: ModelCodec>(_ codec: Codec.Type, _ json: String) -> String? {
        do throws(JSONError) {
            _ = try codec.decode(Array(json.utf8))
            return nil
        } catch {
            guard case .mismatch(let path, _) = error else { return "not JSON" }
            return path.description
        }
    }

    @Test("the payload of seed 001 is read, with and without its optional members")
    func feed() throws {
        let json = """
            {"items": [
              {"id": "\(id)", "description": "a description", "location": "a location",
               "image": "https://a-image.url"},
              {"id": "\(id)", "description": "another description",
               "image": "https://another-image.url"},
              {"id": "\(id)", "location": "even another location",
               "image": "https://even-another-image.url"},
              {"id": "\(id)", "image": "https://yet-another-image.url"}]}
            """
        let images = try FeedCodec.decode(Array(json.utf8))
        #expect(images.map(\.description) == ["a description", "another description", nil, nil])
        #expect(images.map(\.location) == ["a location", nil, "even another location", nil])
        #expect(images.map(\.url).map(\.description).last == "https://yet-another-image.url")
        #expect(try FeedCodec.decode(FeedCodec.encode(images)) == images)
    }

    @Test("the payload of seed 004 is read, with and without its optional members")
    func menu() throws {
        let json = """
            {"items": [
              {"id": "\(id)", "name": "a burger name", "description": "a description",
               "image": "https://a-image.url"},
              {"id": "\(id)", "name": "a burger name"},
              {"id": "\(id)", "name": "a burger name", "description": null},
              {"id": "\(id)", "name": "a burger name", "image": "https://a-image.url"}]}
            """
        let items = try MenuCodec.decode(Array(json.utf8))
        #expect(items.map(\.description) == ["a description", nil, nil, nil])
        #expect(items.compactMap(\.image).count == 2)
        #expect(try MenuCodec.decode(MenuCodec.encode(items)) == items)
    }

    @Test("the id of a movie is a string or a number, and its release date is a calendar date")
    func movies() throws {
        let json = """
            {"items": [{"id": 7, "title": "a title", "releaseDate": "2022-11-04"},
              {"id": "7", "title": "a title", "overview": "an overview", "image": "https://a.url"}]}
            """
        let movies = try MovieListCodec.decode(Array(json.utf8))
        #expect(movies.map(\.id) == ["7", "7"])
        #expect(movies[0].releaseDate == CalendarDate(year: 2022, month: 11, day: 4))
        #expect(try MovieListCodec.decode(MovieListCodec.encode(movies)) == movies)
    }

    @Test("an invalid value is rejected with its path")
    func rejected() {
        #expect(path(FeedCodec.self, #"{"items":[{"id":"\#(id)"}]}"#) == "items[0].image")
        #expect(
            path(FeedCodec.self, #"{"items":[{"id":"\#(id)","image":"x"}]}"#) == "items[0].image"
        )
        #expect(
            path(FeedCodec.self, #"{"items":[{"id":7,"image":"http://x"}]}"#) == "items[0].id"
        )
        #expect(path(MenuCodec.self, #"{"items":[{"id":"\#(id)"}]}"#) == "items[0].name")
        for date in ["2022-11-31", "2022-11-4", "2022-11-04T00:00:00Z", "04.11.2022"] {
            let movie = #"{"id":"1","title":"t","releaseDate":"\#(date)"}"#
            #expect(path(MovieCodec.self, movie) == "releaseDate")
        }
        for id in [#""""#, "1.5", "null", "true"] {
            #expect(path(MovieCodec.self, #"{"id":\#(id),"title":"t"}"#) == "id")
        }
    }
}
