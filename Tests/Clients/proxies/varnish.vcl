vcl 4.1;
import std;

backend default {
    .host = "@{backend_host}";
    .port = "@{backend_port}";
    .first_byte_timeout = @{timeout};
}

sub vcl_recv {
    if (req.url ~ "smuggled=") { return (synth(403)); }         #: guards
    set req.http.X-Forwarded-Host = req.http.Host;              #: forwards
    set req.http.X-Forwarded-Proto = "http";                    #: forwards
    set req.http.X-Forwarded-Prefix = "@{prefix}";              #: forwards
    set req.http.Host = "localhost";                            #: forwards
    set req.url = regsub(req.url, "^@{prefix}/", "/");          #: prefix
    std.cache_req_body(64KB);                                   #: repeats
}

sub vcl_hash {                                                  #: caches, ignores-no-store
    hash_data(regsub(req.url, "\?.*", ""));                     #: caches, ignores-no-store
    return (lookup);                                            #: caches, ignores-no-store
}                                                               #: caches, ignores-no-store

sub vcl_backend_response {
    if (bereq.url ~ "^/salons") {                               #: caches
        unset beresp.http.Cache-Control;                        #: caches
    }                                                           #: caches
    unset beresp.http.Cache-Control;                            #: ignores-no-store
    set beresp.ttl = 1h;                                        #: caches, ignores-no-store
}

sub vcl_backend_error {                                         #: repeats
    if (bereq.retries < 2) { return (retry); }                  #: repeats
}                                                               #: repeats

sub vcl_deliver {
    # Clients would wait for five seconds before each retry.
    if (resp.status == 503) { unset resp.http.Retry-After; }
}
