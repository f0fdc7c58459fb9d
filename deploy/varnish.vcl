# For a Varnish between a proxy with HTTPS and the server. It stores only what anyone may have: see Cache-Control.
vcl 4.1;

backend staffbook {
	.host = "127.0.0.1";
	.port = "3000";
}

sub vcl_recv {
	# Otherwise the event streams of tabs that were closed stay for up to 30 s, and a session has 20.
	if (req.url ~ "^/api/collections/books/changes") {
		return (pipe);
	}
}

sub vcl_pipe {
	# A later request of this connection would pass unread.
	set bereq.http.Connection = "close";
}
