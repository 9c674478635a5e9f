import JSONRPC
import JSONRPCTestSupport
import Testing

@testable import MCP

@Suite("Resources, prompts, and completion", .timeLimit(.minutes(10)))
struct ResourceTests {
    private let one = #""uri":"test://one""#

    @Test("resources and templates are listed and read")
    func read() async throws {
        let client = try Client()
        let list = try await client.request("resources/list")
        #expect(list["result", "resources", "0", "uri"] == "\"test://one\"")
        let templates = try await client.request("resources/templates/list")
        let template = templates["result", "resourceTemplates", "0", "uriTemplate"]
        #expect(template == "\"test://items/{id}\"")
        let fixed = try await client.request("resources/read", one)
        #expect(fixed["result", "contents", "0", "text"] == "\"1\"")
        let item = try await client.request(
            "resources/read",
            #""uri":"test://items/x""#,
            Client.newest
        )
        #expect(item["result", "contents", "0", "text"] == #""\"x\"""#)
        #expect(item["result", "cacheScope"] == "\"private\"" && item["result", "ttlMs"] == "0")
        client.connection.endInput()
    }

    @Test("bytes are base64, with the media type of the resource")
    func bytes() async throws {
        let client = try Client()
        let reply = try await client.request("resources/read", #""uri":"test://bytes""#)
        let members = #""mimeType":"application/octet-stream","blob":"AP8BAg==""#
        #expect(reply["result", "contents", "0"] == #"{"uri":"test://bytes",\#(members)}"#)
        let list = try await client.request("resources/list")
        let type = list["result", "resources", "4", "mimeType"]
        #expect(type == "\"application/octet-stream\"")
        client.connection.endInput()
    }

    @Test("an unknown resource is -32002 in the older revisions, and -32602 in the newest one")
    func unknown() async throws {
        let client = try Client()
        for uri in ["test://two", "test://items/", "test://items/a/b", "test://items/none"] {
            let params = #""uri":"\#(uri)""#
            let older = try await client.request("resources/read", params)
            #expect(older["error", "code"] == "-32002")
            let newer = try await client.request("resources/read", params, Client.newest)
            #expect(newer["error", "code"] == "-32602")
        }
        #expect(try await client.request("resources/read")["error", "code"] == "-32602")
        client.connection.endInput()
    }

    @Test("the error about an unknown resource has its URI, and the advice of the template")
    func advice() async throws {
        let client = try Client()
        for (uri, advice) in [("test://items/none", "; count from 1"), ("test://two", "")] {
            for meta in ["", Client.newest] {
                let reply = try await client.request("resources/read", #""uri":"\#(uri)""#, meta)
                #expect(reply["error", "data"] == #"{"uri":"\#(uri)"}"#)
                let message = reply.string("error", "message")
                #expect(message == "Resource not found: \(uri)\(advice)")
            }
        }
        client.connection.endInput()
    }

    @Test("in the older revisions, a subscriber is notified until it unsubscribes")
    func subscribe() async throws {
        let client = try Client()
        _ = try await client.request("resources/subscribe", one)
        #expect(client.subscriptions.uris == ["test://one"])
        #expect(client.subscriptionCounter.count == 1)
        client.subscriptions.notify("test://items/x")
        client.subscriptions.notify("test://one")
        let update = try await client.message()
        #expect(update["method"] == "\"notifications/resources/updated\"")
        #expect(update["params"] == #"{"uri":"test://one"}"#)
        _ = try await client.request("resources/unsubscribe", one)
        #expect(client.subscriptions.uris.isEmpty)
        client.subscriptions.notify("test://one")
        #expect(try await client.request("ping")["result"] == "{}")
        client.connection.endInput()
    }

    @Test(
        "in the newest revision, a listener gets notifications with its id, and a result at the end"
    )
    func listen() async throws {
        let client = try Client()
        let wanted = #"{"toolsListChanged":true,"resourceSubscriptions":["test://one","test://9"]}"#
        let id = client.send("subscriptions/listen", Client.newest, #""notifications":\#(wanted)"#)
        let subscription = #""_meta":{"io.modelcontextprotocol/subscriptionId":\#(id)}"#
        let acknowledged = try await client.message()
        #expect(acknowledged["method"] == "\"notifications/subscriptions/acknowledged\"")
        let accepted = #""notifications":{"resourceSubscriptions":["test://one"]}"#
        #expect(acknowledged["params"] == "{\(subscription),\(accepted)}")
        // After the reply to a later request, the listener is registered.
        _ = try await client.request("tools/list", Client.newest)
        #expect(client.subscriptions.uris == ["test://one"])
        #expect(client.subscriptionCounter.count == 1)
        client.subscriptions.notify("test://one")
        let update = try await client.message()
        #expect(update["params"] == #"{\#(subscription),"uri":"test://one"}"#)
        client.connection.endInput()
        let result = try await client.message()
        #expect(result["id"] == "\(id)" && result["result", "resultType"] == "\"complete\"")
        let key = "io.modelcontextprotocol/subscriptionId"
        #expect(result["result", "_meta", key] == "\(id)")
        #expect(await client.connection.terminationReason() == .endOfInput)
    }

    @Test("a cancelled listener gets no more messages")
    func cancelledListener() async throws {
        let client = try Client()
        let wanted = #""notifications":{"resourceSubscriptions":["test://one"]}"#
        let id = client.send("subscriptions/listen", Client.newest, wanted)
        _ = try await client.message()
        client.notify("notifications/cancelled", #""requestId":\#(id)"#)
        client.connection.endInput()
        #expect(await client.connection.rest().isEmpty)
    }

    @Test("a prompt contains its arguments; a missing required one is -32602")
    func prompt() async throws {
        let client = try Client()
        let list = try await client.request("prompts/list")
        #expect(list["result", "prompts", "0", "arguments", "0", "required"] == "true")
        let prompt = try await client.request(
            "prompts/get",
            #""name":"greet","arguments":{"who":"Ada"}"#
        )
        let message = prompt["result", "messages", "0", "content", "text"]
        #expect(message == "\"Greet Ada.\"")
        #expect(
            try await client.request("prompts/get", #""name":"greet""#)["error", "code"] == "-32602"
        )
        #expect(
            try await client.request("prompts/get", #""name":"x""#)["error", "code"] == "-32602"
        )
        client.connection.endInput()
    }

    @Test("completion returns at most 100 values, and the total number")
    func completion() async throws {
        let client = try Client()
        let prompt = #""ref":{"type":"ref/prompt","name":"greet"}"#
        let who = #""argument":{"name":"who","value":"x"}"#
        let few = try await client.request("completion/complete", prompt, who)
        #expect(few["result", "completion"] == #"{"values":["xa","xb"],"total":2,"hasMore":false}"#)
        let how = #""argument":{"name":"how","value":"100"}"#
        let all = try await client.request("completion/complete", prompt, how)
        #expect(all["result", "completion", "total"] == "100")
        #expect(all["result", "completion", "hasMore"] == "false")
        let item = #""ref":{"type":"ref/resource","uri":"test://items/{id}"}"#
        let id = #""argument":{"name":"id","value":"7"}"#
        let many = try await client.request("completion/complete", item, id)
        #expect(many["result", "completion", "total"] == "120")
        #expect(many["result", "completion", "hasMore"] == "true")
        #expect(many["result", "completion", "values", "99"] == "\"799\"")
        #expect(many["result", "completion", "values", "100"] == nil)
        client.connection.endInput()
    }

    @Test(
        "completion for an unknown reference is -32602",
        arguments: [
            #""ref":{"type":"ref/prompt","name":"x"}"#, #""ref":{"type":"x"}"#, #""ref":7"#,
            #""ref":{"type":"ref/resource","uri":"x"}"#, #""x":1"#,
        ]
    )
    func badCompletion(reference: String) async throws {
        let client = try Client()
        let argument = #""argument":{"name":"who","value":""}"#
        let reply = try await client.request("completion/complete", reference, argument)
        #expect(reply["error", "code"] == "-32602")
        client.connection.endInput()
    }
}
