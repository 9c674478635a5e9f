import Contract
import JSON
import Testing

@testable import BackendKit
@testable import HTTPServing

@Suite("The route table")
struct RouteTableTests {
    private let table = Routes.table(lists: ServedList.all)
    private var routes: [Route] { table.paths.flatMap(\.routes) }

    @Test("names each operation once, and has each method of a path once")
    func unique() {
        #expect(Set(routes.map(\.name)).count == routes.count)
        for path in table.paths {
            #expect(Set(path.routes.map(\.method)).count == path.routes.count)
        }
    }

    @Test("numbers the routes by their order, so that each has its own metrics")
    func numbers() {
        #expect(table.routes.map(\.number) == Array(table.routes.indices))
        #expect(routes.map(\.number).sorted() == Array(table.routes.indices))
    }

    @Test("describes the parameter of each path")
    func pathParameters() {
        for route in routes {
            let described = route.parameters.filter { $0.location == .path }.map(\.name)
            #expect(described == route.path.parameter.map { [$0] } ?? [], "\(route.name)")
        }
    }

    @Test("describes every kind of error, except the two that no route has")
    func problems() {
        let described = Set(routes.flatMap(\.allProblems)).union([.notFound, .methodNotAllowed])
        #expect(described == Set(ErrorKind.allCases))
        let sentByServer: [Rejection] = [
            .malformed(""), .tooLarge(limit: 1), .mediaType, .origin, .stopping, .late, .overloaded,
        ]
        for rejection in sentByServer {
            let kind = ErrorKind(rawValue: rejection.name)
            #expect(kind?.status == rejection.status, "\(rejection.name)")
        }
    }

    @Test("becomes an OpenAPI document with every route and status")
    func document() throws {
        let bytes = OpenAPIDocument(of: table).bytes(baseURL: "https://a.example/b")
        let document = try JSONDocument(parsing: bytes).root.object()
        #expect(try document.required("openapi").string() == "3.1.1")
        let paths = try document.required("paths").object()
        for route in routes {
            let path = try #require(paths.member(named: route.path.description)).object()
            let operation = try #require(path.member(named: route.method.lowercased())).object()
            #expect(try operation.required("operationId").string() == route.name)
            let responses = try operation.required("responses").object()
            let statuses = route.allSuccesses.map(\.status) + route.allProblems.map(\.status)
            #expect(Set(responses.map(\.key)) == Set(statuses.map { "\($0)" }), "\(route.name)")
            let unavailable = try responses.required(named: "503").object()
            #expect(try unavailable.required("headers").object()["Retry-After"] != nil)
            for problem in route.allProblems {
                let response = try responses.required(named: "\(problem.status)").object()
                let content = try response.required("content").object()
                let schema = try content.required("application/json").object().required("schema")
                // The schema is only a reference. Otherwise generated clients would have a separate
                // type for each route.
                #expect(try schema.object().count == 1 && schema.object()["$ref"] != nil)
                let names = try response.required("description").string()
                #expect(names.contains(problem.rawValue), "\(route.name)")
            }
        }
        let server = try #require(try document.required("servers").array().first { _ in true })
        #expect(try server.object().required("url").string() == "https://a.example/b")
    }

    @Test("refers only to schemas that the document contains")
    func references() throws {
        let bytes = OpenAPIDocument(of: table).bytes(baseURL: "http://a.example")
        let document = try JSONDocument(parsing: bytes).root.object()
        let schemas = try document.required("components").object().required("schemas").object()
        let text = String(decoding: bytes, as: UTF8.self)
        let names = text.matches(of: /"#\/components\/schemas\/([^"]*)"/).map { $0.output.1 }
        #expect(names.count > 10)
        for name in Set(names) {
            #expect(schemas.member(named: String(name)) != nil, "\(name)")
        }
    }

    @Test("the document says which operations may need a token")
    func security() throws {
        let bytes = OpenAPIDocument(of: table).bytes(baseURL: "http://a.example")
        let document = try JSONDocument(parsing: bytes).root.object()
        let paths = try document.required("paths").object()
        for (path, isNeeded) in [("/salons", false), ("/changes", true), ("/appointments", true)] {
            let path = try paths.required(named: path).object()
            let operation = try path.required("get").object()
            #expect((operation["security"] != nil) == isNeeded)
        }
    }
}
