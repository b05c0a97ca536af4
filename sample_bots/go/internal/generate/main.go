// Command generate writes the Go stubs of the protocol into v1/, from the .proto files of the checkout.
//
// It needs nothing but Go: the compiler and both plugins are modules that go.mod pins.
package main

import (
	"bytes"
	"context"
	"flag"
	"fmt"
	"log"
	"os"
	"os/exec"
	"path/filepath"
	"strings"

	"github.com/bufbuild/protocompile"
	"github.com/bufbuild/protocompile/linker"
	"github.com/bufbuild/protocompile/protoutil"
	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/reflect/protoreflect"
	"google.golang.org/protobuf/types/descriptorpb"
	"google.golang.org/protobuf/types/pluginpb"
)

const (
	module = "kitumaija.example/bots"
	stubs  = module + "/v1;kitumaijav1"
	folder = "kitumaija/v1"
)

func main() {
	log.SetFlags(0)
	protos := flag.String("protos", "../../proto", "the folder that holds kitumaija/v1")
	out := flag.String("out", ".", "the root of this module")
	flag.Parse()
	if err := generate(context.Background(), *protos, *out); err != nil {
		log.Fatalf("generate: %v", err)
	}
}

func generate(ctx context.Context, protos, out string) error {
	paths, err := filepath.Glob(filepath.Join(protos, folder, "*.proto"))
	if err != nil {
		return err
	}
	if len(paths) == 0 {
		return fmt.Errorf("there is no .proto in %s", filepath.Join(protos, folder))
	}
	var names, parameters []string
	for _, path := range paths {
		name := folder + "/" + filepath.Base(path)
		names = append(names, name)
		parameters = append(parameters, fmt.Sprintf("M%s=%s", name, stubs))
	}
	compiler := protocompile.Compiler{
		Resolver: protocompile.WithStandardImports(
			&protocompile.SourceResolver{ImportPaths: []string{protos}},
		),
		SourceInfoMode: protocompile.SourceInfoStandard,
	}
	files, err := compiler.Compile(ctx, names...)
	if err != nil {
		return err
	}
	request, err := proto.Marshal(&pluginpb.CodeGeneratorRequest{
		FileToGenerate: names,
		Parameter:      proto.String("module=" + module + "," + strings.Join(parameters, ",")),
		ProtoFile:      withImports(files),
	})
	if err != nil {
		return err
	}
	if err := os.RemoveAll(filepath.Join(out, "v1")); err != nil {
		return err
	}
	for _, plugin := range []string{"protoc-gen-go", "protoc-gen-go-grpc"} {
		if err := run(ctx, plugin, request, out); err != nil {
			return fmt.Errorf("%s: %w", plugin, err)
		}
	}
	return nil
}

// withImports lists the files and all that they import, each after what it imports: what a plugin expects.
func withImports(files linker.Files) []*descriptorpb.FileDescriptorProto {
	var listed []*descriptorpb.FileDescriptorProto
	seen := map[string]bool{}
	var add func(file protoreflect.FileDescriptor)
	add = func(file protoreflect.FileDescriptor) {
		if seen[file.Path()] {
			return
		}
		seen[file.Path()] = true
		for i := range file.Imports().Len() {
			add(file.Imports().Get(i).FileDescriptor)
		}
		listed = append(listed, protoutil.ProtoFromFileDescriptor(file))
	}
	for _, file := range files {
		add(file)
	}
	return listed
}

// run hands the request to a plugin and writes the files that it answers with.
func run(ctx context.Context, plugin string, request []byte, out string) error {
	command := exec.CommandContext(ctx, "go", "tool", plugin)
	command.Stdin = bytes.NewReader(request)
	command.Stderr = os.Stderr
	answer, err := command.Output()
	if err != nil {
		return err
	}
	var response pluginpb.CodeGeneratorResponse
	if err := proto.Unmarshal(answer, &response); err != nil {
		return err
	}
	if response.Error != nil {
		return fmt.Errorf("%s", response.GetError())
	}
	for _, file := range response.GetFile() {
		path := filepath.Join(out, filepath.FromSlash(file.GetName()))
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			return err
		}
		if err := os.WriteFile(path, []byte(file.GetContent()), 0o644); err != nil {
			return err
		}
	}
	return nil
}
